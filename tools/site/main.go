// Command site writes the pages of the project as a web site: an HTML file for each page, the pictures that they show,
// and one style sheet. Nothing in it comes from another server.
//
//	go run ./tools/site -o bin/site
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "bin/site", "`directory` to write to")
	root := flag.String("root", ".", "`directory` of the checkout")
	flag.Parse()
	s, err := read(*root)
	if err == nil {
		err = s.write(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages; look at %s\n", len(s.pages), filepath.Join(*out, "index.html"))
}
