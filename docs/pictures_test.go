package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
)

// picture is a file of docs/pictures and the command that makes it.
type picture struct {
	name, about string
	command     string // of weft; in virtual time, unless the picture is measured
	made        string // the file that the command writes; empty: the picture's own name
	measured    bool   // the numbers are beside the picture, as JSON
}

var pictures = []picture{
	{name: "latency.svg", about: "Time of a message between two ranks of a host, beside Open MPI and MPICH", measured: true,
		command: "weft bench latency --peer openmpi,mpich -m 1:4M --rounds 9 --save latency --plot latency.svg"},
	{name: "allreduce.svg", about: "Time of an allreduce, beside Open MPI and MPICH", measured: true,
		command: "weft bench allreduce -n 2 --peer openmpi,mpich -m 8:1M --rounds 9 --save allreduce --plot allreduce.svg"},
	{name: "speculation.svg", about: "A long message to a receiver that computes: with a plain rendezvous, and with a speculative one",
		command: "weft lab explain F4.14 --svg speculation.svg"},
	{name: "rendezvous.svg", about: "A short and a long message between two ranks", command: "weft lab explain F3.3 --svg rendezvous.svg"},
	{name: "allreduce-steps.svg", about: "The messages of an allreduce", command: "weft lab timeline allreduce -n 4 --size 1K --svg allreduce-steps.svg"},
	{name: "put.svg", about: "A put to the next rank's window between two fences", command: "weft lab timeline put -n 2 --size 64K --svg put.svg"},
}

// TestPictures draws every picture again: those in virtual time by their commands, measured ones from their numbers. All come
// out as they are, byte for byte. With -rewrite the pictures and their list are written anew.
func TestPictures(t *testing.T) {
	weft := tool(t, "./cmd/weft")
	var list strings.Builder
	list.WriteString("# Pictures\n\nEvery picture is made by a command. `make pictures` makes those in virtual time again, and those that were measured\nfrom their numbers, which lie beside them.\n\n| picture | shows | made by |\n|---|---|---|\n")
	for _, p := range pictures {
		fmt.Fprintf(&list, "| [%s](%[1]s) | %s | `%s` |\n", p.name, p.about, p.command)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.measured {
				same(t, p.name, drawn(t, p.name))
			} else {
				same(t, p.name, made(t, weft, p))
			}
		})
	}
	same(t, "README.md", []byte(list.String()))
}

// same holds a file of docs/pictures against what it should be.
func same(t *testing.T, name string, want []byte) {
	t.Helper()
	path := filepath.Join("pictures", name)
	have, err := os.ReadFile(path)
	switch {
	case bytes.Equal(have, want):
	case *rewrite:
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what its command makes (%v); run: make pictures", path, err)
	}
}

// made returns what the command of a picture writes.
func made(t *testing.T, weft string, p picture) []byte {
	t.Helper()
	cmd := exec.Command(weft, strings.Fields(p.command)[1:]...)
	cmd.Dir = t.TempDir()
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", p.command, err, text)
	}
	if p.made == "" {
		p.made = p.name
	}
	return []byte(read(t, filepath.Join(cmd.Dir, p.made)))
}

// drawn draws the saved report of a measured picture.
func drawn(t *testing.T, name string) []byte {
	t.Helper()
	var r bench.Report
	if err := json.Unmarshal([]byte(read(t, filepath.Join("pictures", strings.TrimSuffix(name, ".svg")+".json"))), &r); err != nil {
		t.Fatal(err)
	}
	if r.Started.IsZero() || r.Host.CPU == "" {
		t.Errorf("%s: the numbers do not say when and on what they were measured", name)
	}
	var b bytes.Buffer
	if err := figure.FromReport(r)[0].Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPicturesAreShown: a page shows every picture.
func TestPicturesAreShown(t *testing.T) {
	var all strings.Builder
	for _, path := range pages(t) {
		if filepath.Base(filepath.Dir(path)) != "pictures" {
			all.WriteString(read(t, path))
		}
	}
	for _, p := range pictures {
		if !strings.Contains(all.String(), "pictures/"+p.name+")") {
			t.Errorf("no page shows pictures/%s", p.name)
		}
	}
}
