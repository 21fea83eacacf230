package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How far the heap may grow before it is cleared: to a size that costs nobody anything, and beyond that by a part of what is live.
const (
	freeHeap     = 48 << 20 // bytes
	leastPercent = 50
	mostPercent  = 600
)

// boundHeap keeps the heap near freeHeap while little is live: a module's packages pass by one after another and leave much behind. Bare files
// and units of go vet are small and short, and not worth it. GOGC sets something else.
func boundHeap() {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	type cycle struct{ next *cycle } // its finalizer runs behind each clearing
	var adapt func(*cycle)
	adapt = func(*cycle) {
		metrics.Read(live)
		percent := mostPercent
		if bytes := int(live[0].Value.Uint64()); bytes > 0 {
			percent = min(mostPercent, max(leastPercent, freeHeap*100/bytes-100))
		}
		debug.SetGCPercent(percent)
		runtime.SetFinalizer(new(cycle), adapt)
	}
	adapt(nil)
}

// smallHeap lets the heap grow to seven times what is live before it is cleared: a run over bare files, or over a unit of go vet, is short.
func smallHeap() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(mostPercent)
	}
}
