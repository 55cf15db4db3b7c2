package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/launch"
)

// commandLines are the commands whose words FuzzCommandLines reads, each with what must be true of those
// that it accepts. Those of run, bench and verbs have targets of their own.
var commandLines = map[string]func(t *testing.T, words []string){
	"cluster": func(t *testing.T, words []string) {
		o := newClusterOptions("up")
		if words, err := o.parse(words); err == nil && len(words) > 0 {
			if c, err := o.configFor(words[0]); err == nil && !(c.Loss >= 0 && c.Loss <= 100) {
				t.Errorf("loss %v", c.Loss)
			}
		}
	},
	"doctor": func(t *testing.T, words []string) {
		if o, err := parseDoctor(words); err == nil && (o.order.Ranks < 0 || o.order.Patience <= 0 || o.order.Ports.Last < o.order.Ports.First) {
			t.Errorf("%+v", o.order)
		}
	},
	"lab": func(t *testing.T, words []string) {
		for _, p := range labParts() {
			_ = new(labOptions).parse(p.options, words)
		}
	},
	"lab mif": func(t *testing.T, words []string) {
		if o, err := parseMIF(words); err == nil && (o.ranks < 2 || o.mif.Size < 0 || len(o.mif.Factors) == 0 || math.IsNaN(o.mif.Late+o.mif.Message)) {
			t.Errorf("%+v", o)
		}
	},
	"profile": func(t *testing.T, words []string) {
		if o, err := parseProfile(words); err == nil && o.file == "" && !slices.Contains(words, "") {
			t.Errorf("%+v", o)
		}
	},
	"sim": func(t *testing.T, words []string) {
		o, err := parseSim(words)
		if err != nil {
			return
		}
		for _, r := range o.seeds {
			if r.First > r.Last {
				t.Errorf("seeds %+v", r)
			}
		}
		if o.jobs < 1 || o.virtual < 0 || len(o.seeds) == 0 {
			t.Errorf("%+v", o)
		}
	},
	"soak": func(t *testing.T, words []string) {
		if o, err := parseSoak(words); err == nil && (o.time <= 0 || o.limit <= 0 || o.leg < 0 || o.ranks < 0 || o.ranks > launch.JobMax) {
			t.Errorf("%+v", o)
		}
	},
	"tune": func(t *testing.T, words []string) {
		if o, err := parseTune(words); err == nil && (len(o.ranks) == 0 || o.ranks[0] < 2 || o.min < 0 || o.max < o.min || !(o.margin >= 0 && o.margin <= 100) || len(o.ops) == 0) {
			t.Errorf("%+v", o)
		}
	},
}

// FuzzCommandLines: whatever is typed is refused or understood, and what is understood makes sense.
func FuzzCommandLines(f *testing.F) {
	for _, line := range []string{"cluster 2 --rails 2 --rate 1gbit --loss 1%", "doctor --ranks 4 --port-range 20000-20100 --host a,b:2 --patience 1s", "lab run F4.1 --on sim:ne020 --set a=b",
		"lab mif alltoall --size 8K --factors 1,32 --late 0.5 --calls 3", "profile --by-site x.json", "sim --seeds 1-3,7 --channel ud --faults loss --ranks 4 --set lab_vbuf=2K",
		"sim --hours 0.5 --algorithms allgather", "soak --box --time 90s --legs srq/rget,ud --leg 5s", "soak -n 4 --rounds 3 --limit 2m --set channel=ud",
		"tune -n 2,4 --on sim:ndr --nodes 2 --ops bcast,allgather -m 8:1K --spread 0,10 --margin 5", "tune --margin NaN", "tune --verify --against flat,smp"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		command := words[0]
		if len(words) > 1 && commandLines[command+" "+words[1]] != nil {
			command, words = command+" "+words[1], words[1:]
		}
		if check := commandLines[command]; check != nil && !strings.Contains(line, "/") && !strings.Contains(line, "file") { // no file is read
			check(t, words[1:])
		}
	})
}
