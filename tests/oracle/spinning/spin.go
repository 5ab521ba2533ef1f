// Functions that Go inlines.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"
)

var sink uint64

//go:noinline
func now() float64 {
	var time syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&time)), 0)
	return float64(time.Sec) + float64(time.Nsec)/1e9
}

var seed uint64 = 12345

func around(about uint64) uint64 {
	seed = seed*6364136223846793005 + 1442695040888963407
	return about/2 + seed>>33%about
}

func light(rounds uint64) {
	for i := uint64(0); i < rounds; i++ {
		sink += i
	}
}

func heavy(rounds uint64) {
	for i := uint64(0); i < rounds; i++ {
		sink ^= i * 3
	}
}

//go:noinline
func work(spent *[2]float64) {
	began := now()
	light(around(320000))
	middle := now()
	heavy(around(960000))
	spent[0] += middle - began
	spent[1] += now() - middle
}

func main() {
	runtime.LockOSThread()
	seconds := 1.5
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	var spent [2]float64
	for began := now(); now()-began < seconds; {
		work(&spent)
	}
	fmt.Printf("main.work;main.light %.9f\nmain.work;main.heavy %.9f\n", spent[0], spent[1])
}
