// What is inlined into what, for the tests of Go's tables; and with two addresses as arguments, the
// frames that Go's runtime finds at each address between them.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	_ "unsafe"
)

type pair struct{ a, b int }

func leaf(x, y int) int    { return (x << 7) ^ (y >> uint(x&7)) }
func mid(x, y int) int     { return leaf(x, y) + leaf(y, x)*3 }
func (p *pair) Sum() int   { return mid(p.a, p.b) + 1 }

type summer interface{ Sum() int }

//go:linkname expand runtime/pprof.runtime_expandFinalInlineFrame
func expand(stack []uintptr) []uintptr

func printFrames(out *bufio.Writer, pc uintptr) {
	fmt.Fprintf(out, "%#x", pc)
	if runtime.FuncForPC(pc) != nil {
		frames := runtime.CallersFrames(expand([]uintptr{pc + 1}))
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			fmt.Fprintf(out, "\t%s\t%s:%d", frame.Function, frame.File, frame.Line)
		}
	}
	fmt.Fprintln(out)
}

func main() {
	p := &pair{len(os.Args), 3}
	var s summer = p
	if len(os.Args) < 3 {
		fmt.Println(s.Sum(), mid(p.a, 9))
		return
	}
	start, _ := strconv.ParseUint(os.Args[1], 0, 64)
	end, _ := strconv.ParseUint(os.Args[2], 0, 64)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	for pc := uintptr(start); pc < uintptr(end); pc++ {
		printFrames(out, pc)
	}
}
