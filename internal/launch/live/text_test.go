package live

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
)

// job is one of n ranks on some hosts, all in one barrier but the last, which computes.
func job(n, hosts int) *Job {
	j := &Job{Pid: 4711, Host: "h0", Programs: []string{"./solver -n 5"}, Started: time.Unix(1000, 0), Time: time.Unix(1090, 0)}
	members := make([]int, n)
	for i := range members {
		members[i] = i
	}
	for i := range n {
		r := Rank{Rank: i, Host: fmt.Sprintf("h%d", i*hosts/n), Pid: 100 + i, State: Running, Up: 80, Age: new(float64),
			Counts: map[string]uint64{"sent": 1000 + uint64(i), "sent_bytes": 8000, "received": 1000, "received_bytes": 8000, "memory": 50 << 20}}
		if i < n-1 {
			r.Waits = []Wait{WaitOf(pmi.Stall{Rank: i, Op: "barrier", Comm: "world", Seq: 7, Peer: pmi.NoPeer, Seconds: 12, Site: "solver.go:33", Members: members})}
		}
		j.Ranks = append(j.Ranks, r)
	}
	return j
}

// However many ranks a job has, it fits on a screen, and says who is missing.
func TestTextFits(t *testing.T) {
	for _, size := range []struct{ n, hosts int }{{1, 1}, {4, 1}, {4, 2}, {16, 2}, {32, 1}, {33, 4}, {1000, 1}, {1000, 125}, {1000, 1000}} {
		j := job(size.n, size.hosts)
		text := Text(j, nil, false)
		lines := strings.Split(text, "\n")
		if len(lines) > 45 {
			t.Errorf("%v: %d lines:\n%s", size, len(lines), text)
		}
		for _, line := range lines {
			if len(line) > 160 {
				t.Errorf("%v: %d bytes in line %q", size, len(line), line)
			}
		}
		want := []string{"job 4711 on h0: ./solver -n 5", " for 1m30s: 1 outside MPI"}
		if size.n > 1 {
			want = append(want, fmt.Sprintf("%d waiting; the longest for 12s", size.n-1), fmt.Sprintf("missing: rank %d, running outside MPI", size.n-1))
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%v: %q is not in:\n%s", size, w, text)
			}
		}
	}
}

// Each rank has its row if asked for.
func TestTextOfEach(t *testing.T) {
	if text := Text(job(100, 3), nil, true); strings.Count(text, "50 MB") != 101 {
		t.Errorf("not 100 ranks:\n%s", text)
	}
}

// Rates are those since the last look, unless the rank is another one.
func TestRates(t *testing.T) {
	before, now := job(2, 1), job(2, 1)
	for i := range now.Ranks {
		now.Ranks[i].Up += 10
		now.Ranks[i].Counts["sent"] += 500
	}
	before.Ranks[1].Pid++
	if r := rate(now, before, 0, "sent"); r != 50 {
		t.Errorf("rank 0 sends %v a second", r)
	}
	if r := rate(now, before, 1, "sent"); r != 1501./90 {
		t.Errorf("a new rank 1 sends %v a second", r)
	}
	if r := rate(now, now, 0, "sent"); r != 0 {
		t.Errorf("in no time %v a second", r)
	}
}

// What a launcher says comes back, and nonsense in it harms nobody.
func TestJSON(t *testing.T) {
	j := job(3, 2)
	j.Ranks[1].Waits = append(j.Ranks[1].Waits, WaitOf(pmi.Stall{Op: "recv", Seq: pmi.NoSeq, Peer: pmi.AnyPeer, Tag: -1,
		Lying: []pmi.Lying{{Peer: 2, Tag: 1, Bytes: 4}}, More: 1}))
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	var back Job
	if err := json.Unmarshal(text, &back); err != nil || Text(&back, nil, false) != Text(j, nil, false) {
		t.Errorf("%v: %s", err, Text(&back, nil, false))
	}
	bad := `{"ranks":[{"state":"x","waits":[{"op":"recv","peer":99,"members":"0-9"},{"op":"send","peer":-7},
		{"op":"recv","peer":0,"tag":1,"unasked":[{"peer":-4},{"peer":77}]}]},{"rank":77,"silent":true}]}`
	var odd Job
	if err := json.Unmarshal([]byte(bad), &odd); err != nil {
		t.Fatal(err)
	}
	if Text(&odd, nil, true) == "" {
		t.Error("nothing")
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.25: "0.25", 9.5: "9.5", 12: "12", 99999: "99999", 123456: "123 k", 5.1e9: "5.1 G"} {
		if got := short(n); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
	for n, want := range map[float64]string{0: "0 B", 1023: "1023 B", 2048: "2.0 KB", 20 << 20: "20 MB"} {
		if got := size(n); got != want {
			t.Errorf("%v bytes are %q, want %q", n, got, want)
		}
	}
}
