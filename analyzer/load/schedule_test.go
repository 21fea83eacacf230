package load

import (
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestEach runs calls that wait for earlier ones, as packages wait for their imports, with weights of which few fit beside each other.
func TestEach(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const n, most = 400, 100
	weight := func(i int) int64 { return int64(i * 37 % 130) } // some alone are more than most
	var (
		mu            sync.Mutex
		atWork, count int64
		calls         []int
		done          [n]chan struct{}
	)
	for i := range done {
		done[i] = make(chan struct{})
	}
	each(n, most, weight, func(i int) {
		mu.Lock()
		atWork += weight(i)
		count++
		if atWork > most && count > 1 && atWork != weight(i) {
			t.Errorf("%d calls of weight %d are made together", count, atWork)
		}
		calls = append(calls, i)
		mu.Unlock()
		if i > 0 {
			<-done[i/2]
			<-done[i-1-i%min(i, 5)]
		}
		mu.Lock()
		atWork -= weight(i)
		count--
		mu.Unlock()
		close(done[i])
	})
	slices.Sort(calls)
	for i, got := range calls {
		if got != i {
			t.Fatalf("call %d is made of %d", i, got)
		}
	}
	if len(calls) != n {
		t.Errorf("%d calls", len(calls))
	}
}
