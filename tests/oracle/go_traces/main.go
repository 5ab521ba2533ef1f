// Ends, or is ended, with a traceback; or prints profiles as text. The argument says which.
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"sync"
	"time"
)

type T struct{ a, b int }

func (t *T) check(i int) int {
	if i < 0 {
		panic("negative")
	}
	return t.a + i
}

func small(t *T, i int) int { return t.check(i) * 2 }

//go:noinline
func work(t *T, i int) int {
	defer func() { fmt.Print() }()
	return small(t, i) + 1
}

//go:noinline
func deref(t *T) int { return small(t, 3) }

func generic[V any](v V, call func(V) int) int { return call(v) }

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		time.Sleep(time.Hour)
	}()
	switch os.Args[1] {
	case "panic":
		fmt.Println(generic(-1, func(i int) int { return work(&T{1, 2}, i) }))
	case "nil":
		fmt.Println(deref(nil))
	case "wait":
		fmt.Println("ready")
		wg.Wait()
	case "spin":
		fmt.Println("ready")
		for i := 0; ; i++ {
			work(&T{1, 2}, i&7)
		}
	case "profiles":
		time.Sleep(10 * time.Millisecond) // until the other one sleeps
		pprof.Lookup("goroutine").WriteTo(os.Stdout, 1)
		pprof.Lookup("allocs").WriteTo(os.Stdout, 1)
	}
}
