// Goroutines in many states, of which it prints what runtime.Stack says. Then it sleeps or, with an argument,
// crashes.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

type worker struct{ name string }

func (w *worker) receive(c chan int) { nested(3, func() { <-c }) }

func nested(n int, f func()) {
	if n > 0 {
		nested(n-1, f)
		return
	}
	f()
}

func main() {
	c := make(chan int)
	var mutex sync.Mutex
	var group sync.WaitGroup
	mutex.Lock()
	group.Add(1)
	for i := 0; i < 3; i++ {
		go (&worker{"w"}).receive(c)
	}
	go mutex.Lock()
	go group.Wait()
	go func() { time.Sleep(time.Hour) }()
	go func() { select {} }()
	go func() {
		reader, _, _ := os.Pipe()
		reader.Read(make([]byte, 1))
	}()
	time.Sleep(200 * time.Millisecond)
	text := make([]byte, 1<<20)
	fmt.Printf("%s\n\nend\n", text[:runtime.Stack(text, true)])
	if len(os.Args) > 1 {
		var p *int
		*p = 1
	}
	time.Sleep(time.Hour)
}
