// Methods, closures and a generic function, inlined into each other.
package main

import "os"

var sink int

type point struct{ x, y int }

func clamp(value, limit int) int {
	if value > limit {
		return limit
	}
	return value + sink
}

func biggest[T int | int64](a, b T) T {
	if a > b {
		return a
	}
	return b
}

func (p point) add(other point) point { return point{clamp(p.x+other.x, 100), clamp(p.y+other.y, 100)} }
func (p point) norm() int             { return biggest(p.x, -p.x) + biggest(p.y, -p.y) }

func apply(call func(int) int, value int) int { return call(value) + call(value+1) }

//go:noinline
func area(width, height int) int {
	total := 0
	add := func(more int) { total += clamp(more, 50) }
	for i := 0; i < height; i++ {
		add(width + i)
	}
	return total + apply(func(v int) int { return clamp(v, 9) * 2 }, width)
}

func main() {
	n := len(os.Args)
	sum := point{n, 1}.add(point{2, n})
	sink = sum.norm() + int(biggest(int64(n), 3))
	os.Exit(area(n, sink) + clamp(n, 3) + clamp(sink, 4))
}
