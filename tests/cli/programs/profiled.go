// Writes profiles of itself: cpu.pb.gz and heap.pb.gz in the folder that is named.
package main

import (
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"
)

var kept [][]byte
var sum uint64

func inner(n uint64) uint64 { // is inlined
	for i := 0; i < 40; i++ {
		n = n*2654435761 ^ n>>7
	}
	return n
}

//go:noinline
func spin(until time.Time) {
	for time.Now().Before(until) {
		for i := uint64(0); i < 5000; i++ {
			sum += inner(i)
		}
		kept = append(kept, make([]byte, 100000))
		if len(kept) > 200 {
			kept = kept[100:]
		}
	}
}

func main() {
	cpu, _ := os.Create(filepath.Join(os.Args[1], "cpu.pb.gz"))
	pprof.StartCPUProfile(cpu)
	spin(time.Now().Add(1500 * time.Millisecond))
	pprof.StopCPUProfile()
	cpu.Close()
	heap, _ := os.Create(filepath.Join(os.Args[1], "heap.pb.gz"))
	pprof.WriteHeapProfile(heap)
	heap.Close()
}
