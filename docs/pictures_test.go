package docs_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/draw"
)

// picture is a file of docs/pictures and the command that makes it.
type picture struct {
	name, about string
	command     string // of weft
	made        string // the file that the command writes; empty: the picture's own name
	kept        func(t *testing.T, numbers []byte) []byte
}

// pictures are drawn again by their commands, in virtual time, or from numbers that are kept beside them
// because they were measured, or take long.
var pictures = []picture{
	{name: "latency.svg", about: "time of a message between two ranks of a host, beside Open MPI and MPICH", kept: fromReport,
		command: "weft bench latency --peer openmpi,mpich -m 1:1M --rounds 7 --save latency --plot latency.svg"},
	{name: "bandwidth.svg", about: "bandwidth of windows of 64 messages between two ranks of a host, beside Open MPI and MPICH", kept: fromReport,
		command: "weft bench bw --peer openmpi,mpich --rounds 7 --save bandwidth --plot bandwidth.svg"},
	{name: "rendezvous.svg", about: "a short and a long message between two ranks", command: "weft lab explain F3.3 --svg rendezvous.svg"},
	{name: "speculation.svg", about: "a long message to a receiver that computes: by a plain rendezvous, and by a speculative one",
		command: "weft lab explain F4.14 --svg speculation.svg"},
	{name: "overlap.svg", about: "how much of a transfer is hidden behind a receiver's computation, with both",
		command: "weft lab run F4.13 --save .", made: "F4.13-a.svg"},
	{name: "watermark.svg", about: "receives left in a shared queue while a burst comes in", command: "weft lab run 004.F3 --save .", made: "004.F3.svg"},
	{name: "memory.svg", about: "memory that a job saves by datagrams", kept: fromResult, command: "weft lab run F6.8 --save ."},
	{name: "reuse.svg", about: "what sending without a copy gains", command: "weft lab run F5.5 --quick --save .", made: "F5.5-a.svg"},
	{name: "late.svg", about: "an allreduce to which the last rank comes late", command: "weft lab timeline allreduce --late 20us --svg late.svg"},
	{name: "held.svg", about: "an alltoall to which rank 1 comes late, by Direct and PAP_Direct", command: "weft lab explain 002.F6.4 --svg held.svg"},
	{name: "allreduce.svg", about: "the messages of an allreduce", command: "weft lab timeline allreduce --svg allreduce.svg"},
	{name: "choice.svg", about: "what the algorithms of an allreduce cost, by which one is chosen",
		command: "weft info --nodes 16 --plot choice.svg --explain allreduce 4M 16"},
	{name: "groups.svg", about: "allgather with one to four groups of ranks per node", kept: fromResult, command: "weft lab run 002.F5.6 --save ."},
	{name: "long.svg", about: "a long message on a faster network", command: "weft lab timeline send -n 2 --size 256K --on sim:roce-100g --svg long.svg"},
	{name: "datagrams.svg", about: "time of a message over a connection and over datagrams, below MPI",
		command: "weft lab run F6.3 --save .", made: "F6.3.svg"},
	{name: "put.svg", about: "puts between two fences", command: "weft lab timeline put -n 2 --size 64K --svg put.svg"},
	{name: "plate.png", about: "the plate of the heat example", command: "weft run -n 4 ./examples/heat -size 160 -steps 9000 -png plate.png"},
	{name: "networks.svg", about: "time of a message on four simulated networks", command: "weft lab run F3.3 --quick --save .", made: "F3.3-a.svg"},
}

// TestPictures draws every picture again: all come out as they are, byte for byte. With -rewrite the
// pictures and their list are written anew.
func TestPictures(t *testing.T) {
	weft := tool(t, "./cmd/weft")
	var list strings.Builder
	list.WriteString("# Pictures\n\nEvery picture is made by a command. `make pictures` makes them again: those with numbers beside them (.json, with date and\nmachine) from these, the others by running their commands in virtual time.\n\n| picture | shows | made by |\n|---|---|---|\n")
	for _, p := range pictures {
		fmt.Fprintf(&list, "| [%s](%[1]s) | %s | `%s` |\n", p.name, p.about, p.command)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.kept != nil {
				same(t, p.name, p.kept(t, []byte(read(t, filepath.Join("pictures", strings.TrimSuffix(p.name, ".svg")+".json")))))
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
	args := strings.Fields(p.command)[1:]
	if args[0] == "run" {
		args = withPrograms(t, []string{"run", "--oversubscribe"}, args[1:], "")
	}
	cmd := exec.Command(weft, args...)
	cmd.Dir = t.TempDir()
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", p.command, err, text)
	}
	if p.made == "" {
		p.made = p.name
	}
	return []byte(read(t, filepath.Join(cmd.Dir, p.made)))
}

// fromReport draws the saved report of a benchmark.
func fromReport(t *testing.T, numbers []byte) []byte {
	t.Helper()
	var r bench.Report
	if err := json.Unmarshal(numbers, &r); err != nil {
		t.Fatal(err)
	}
	if r.Started.IsZero() || r.Host.CPU == "" {
		t.Error("the numbers do not say when and on what they were measured")
	}
	var b bytes.Buffer
	if err := figure.FromReport(r)[0].Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fromResult draws the first panel of a saved result of the lab.
func fromResult(t *testing.T, numbers []byte) []byte {
	t.Helper()
	r, err := lab.ReadResult(bytes.NewReader(numbers))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := draw.Panel(&b, r.Panels[0], "svg"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPicturesAreLegible: in every picture words stay apart from each other, and none is cut off.
func TestPicturesAreLegible(t *testing.T) {
	for _, p := range pictures {
		if !strings.HasSuffix(p.name, ".svg") {
			continue
		}
		var svg struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Words  []label `xml:"text"`
		}
		if err := xml.Unmarshal([]byte(read(t, filepath.Join("pictures", p.name))), &svg); err != nil {
			t.Fatal(err)
		}
		for i, w := range svg.Words {
			left, right, top, bottom := w.area()
			if left < 0 || right > svg.Width || top < 0 || bottom > svg.Height {
				t.Errorf("%s: %q is cut off", p.name, w.Text)
			}
			for _, v := range svg.Words[:i] {
				if l, r, t2, b := v.area(); left < r && l < right && top < b && t2 < bottom {
					t.Errorf("%s: %q stands on %q", p.name, w.Text, v.Text)
				}
			}
		}
		if len(svg.Words) < 5 {
			t.Errorf("%s has %d words", p.name, len(svg.Words))
		}
	}
}

// label is a text of a picture.
type label struct {
	X      float64 `xml:"x,attr"`
	Y      float64 `xml:"y,attr"`
	Size   float64 `xml:"font-size,attr"`
	Anchor string  `xml:"text-anchor,attr"`
	Weight string  `xml:"font-weight,attr"`
	Text   string  `xml:",chardata"`
}

// area is what the word covers.
func (w label) area() (left, right, top, bottom float64) {
	wide := chart.Width(w.Text, w.Size, w.Weight != "")
	left = w.X - wide*map[string]float64{"middle": 0.5, "end": 1}[w.Anchor]
	return left, left + wide, w.Y - 0.8*w.Size, w.Y + 0.2*w.Size
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
