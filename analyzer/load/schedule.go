package load

import (
	"os"
	"runtime"
	"sync"
)

// mostText is how much Go text is at work at a time, in bytes, unless one package has more: its trees and types are some thirty times as large.
const mostText = 600_000

// textSize is how much of that a node is.
func textSize(n *node) (bytes int64) {
	if !n.looked {
		return 0
	}
	for _, name := range n.CompiledGoFiles {
		if info, err := os.Stat(name); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// each calls f for the numbers below n on all processors, in ascending order: what waits for a smaller number waits for one at work. Calls of
// which weight says much are not made beside others: together they weigh no more than most, or there is one.
func each(n int, most int64, weight func(int) int64, f func(int)) {
	var (
		turn    sync.Mutex // who holds it takes the next number, and waits until there is room
		next    int
		mu      sync.Mutex
		taken   int64
		workers sync.WaitGroup
	)
	freed := sync.NewCond(&mu)
	take := func() (i int, w int64) {
		turn.Lock()
		defer turn.Unlock()
		i = next
		next++
		if i >= n {
			return i, 0
		}
		w = weight(i)
		mu.Lock()
		defer mu.Unlock()
		for taken > 0 && taken+w > most {
			freed.Wait()
		}
		taken += w
		return i, w
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i, w := take(); i < n; i, w = take() {
				f(i)
				mu.Lock()
				taken -= w
				mu.Unlock()
				freed.Signal()
			}
		})
	}
	workers.Wait()
}
