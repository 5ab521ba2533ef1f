package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"
)

func main() {
	words := strings.Fields(strings.Join(os.Args, " "))
	sort.Strings(words)
	text, _ := json.Marshal(words)
	request, _ := http.NewRequest("GET", "http://localhost/", strings.NewReader(string(text)))
	fmt.Println(string(text), request.URL)
}
