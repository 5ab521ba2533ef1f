// Prints each call of an inlined function and of another one, for traces to see the same.
package main

import (
	"fmt"
	"os"
)

type pair struct{ first, second int32 }

var sink int

//go:noinline
func show(name string, number int, p *pair) {
	fmt.Fprintln(os.Stderr, name, number, p.first, p.second)
	sink += number
}

func leaf(number int, p *pair) {
	show("leaf", number, p)
	sink += int(p.first) + number
}

//go:noinline
func plain(name string, number int) int {
	fmt.Fprintln(os.Stderr, "plain", len(name), number)
	return number + sink
}

//go:noinline
func calls(count int) {
	for i := 0; i < count; i++ {
		p := &pair{int32(i), int32(-i)}
		leaf(i*3, p)
		sink += plain("text"[:i%4], -i)
		leaf(-i, p)
	}
}

func main() { calls(6) }
