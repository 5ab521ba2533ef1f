// The same as lengths.cc.
package main

import (
	"fmt"
	"os"
	"strings"
)

type name string

type request struct {
	number int
	name   name
	path   string
}

func print(function string, strings ...string) {
	line := function
	for _, text := range strings {
		line += fmt.Sprintf(" =%x", text)
	}
	fmt.Fprintln(os.Stderr, line)
}

//go:noinline
func plain(value string, named name, pointer *string) {
	print("main.plain", value, string(named), *pointer)
}

//go:noinline
func outer(of *request, value string) {
	print("main.outer", string(of.name), of.path, value)
}

func main() {
	for _, text := range []string{"", "short", "a \"quoted\" and \\escaped\n one of more bytes",
		"gr\u00fc\u00df", strings.Repeat("x", 128), strings.Repeat("y", 129), strings.Repeat("z", 5000)} {
		plain(text, name(text), &text)
		outer(&request{1, name(text), text}, text)
	}
}
