package stall

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weft-mpi/weft/internal/pmi"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files")

// TestReport compares reports with golden files; -rewrite writes them.
func TestReport(t *testing.T) {
	joined := func(waits ...pmi.Stall) Rank { return Rank{Phase: pmi.Joined, Waits: waits} }
	all := func(n int) (members []int) {
		for i := range n {
			members = append(members, i)
		}
		return members
	}
	coll := func(rank int, op string, seq, n int, sec float64) pmi.Stall {
		return pmi.Stall{Rank: rank, Op: op, Comm: "world", Seq: seq, Peer: pmi.NoPeer, Seconds: sec, Site: "solver.go:33",
			Members: all(n)}
	}
	recv := func(rank, peer, tag int) pmi.Stall {
		return pmi.Stall{Rank: rank, Op: "recv", Comm: "world", Seq: pmi.NoSeq, Peer: peer, Tag: tag, Bytes: 8, Seconds: 61.2,
			Site: "halo.go:12"}
	}
	lies := func(w pmi.Stall, m ...pmi.Lying) pmi.Stall {
		w.Lying = m
		return w
	}
	cases := map[string][]Rank{
		"missing": {
			joined(coll(0, "allreduce", 12, 6, 60)), joined(coll(1, "allreduce", 12, 6, 63.4)), joined(recv(2, 0, 5)),
			joined(), {Phase: pmi.Joined, Ended: true}, {Phase: pmi.Finalised},
		},
		"mismatch": {joined(coll(0, "bcast", 3, 3, 60)), joined(coll(1, "reduce", 3, 3, 60)), joined(coll(2, "bcast", 3, 3, 5))},
		"deadlock": {joined(recv(0, 1, 0)), joined(recv(1, 0, 0))},
		"wildcards": {
			joined(recv(0, pmi.AnyPeer, -1)),
			joined(pmi.Stall{Rank: 1, Op: "win_wait", Seq: pmi.NoSeq, Peer: pmi.NoPeer, Seconds: 9.96}),
			{Phase: pmi.Silent},
		},
		"two-communicators": {
			joined(pmi.Stall{Rank: 0, Op: "barrier", Comm: "row", Seq: 1, Peer: pmi.NoPeer, Seconds: 60, Members: []int{0, 1}}),
			joined(),
			joined(pmi.Stall{Rank: 2, Op: "barrier", Comm: "row", Seq: 1, Peer: pmi.NoPeer, Seconds: 60, Members: []int{2, 3}}),
			joined(coll(3, "allreduce", 9, 4, 70)),
		},
		"exited": {joined(coll(0, "allreduce", 12, 4, 60)), joined(), {Phase: pmi.Joined, Ended: true}, {Phase: pmi.Joined, Ended: true}},
		"finalize": {
			joined(coll(0, "finalize", 1, 3, 60)), joined(coll(1, "allreduce", 1, 3, 60)), joined(coll(2, "finalize", 1, 3, 60)),
		},
		"circle": {joined(recv(0, 2, 5)), joined(recv(1, 0, 5)), joined(recv(2, 1, 5)), joined(recv(3, 1, 5))},
		"unasked": {
			joined(coll(0, "barrier", 4, 4, 60)), joined(coll(1, "barrier", 4, 4, 60)),
			joined(lies(recv(2, 1, 8), pmi.Lying{Peer: 1, Tag: 7, Bytes: 40})),
			joined(lies(recv(3, 0, 8), pmi.Lying{Peer: 1, Tag: 8, Bytes: 4}, pmi.Lying{Peer: 2, Tag: 8, Bytes: 4, Away: true})),
		},
		"all-unasked": {
			joined(lies(recv(0, 1, 8), pmi.Lying{Peer: 1, Tag: 7, Bytes: 40})), joined(lies(recv(1, 0, 8), pmi.Lying{Peer: 0, Tag: 7, Bytes: 40})),
		},
	}
	for name, ranks := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".golden")
			got := Report(ranks) + "\n"
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A report of 32 ranks fits on a screen, whatever they do.
func TestReportFits(t *testing.T) {
	const n = 32
	var ring, chaos []Rank
	for i := range n {
		w := pmi.Stall{Rank: i, Op: "recv", Comm: "world", Seq: pmi.NoSeq, Peer: (i + n - 1) % n, Tag: 5, Bytes: 8, Seconds: 60, Site: "halo.go:12"}
		ring = append(ring, Rank{Phase: pmi.Joined, Waits: []pmi.Stall{w}})
		w.Tag, w.Peer, w.Lying = i, 0, []pmi.Lying{{Peer: i, Tag: i, Bytes: 4}}
		chaos = append(chaos, Rank{Phase: pmi.Joined, Waits: []pmi.Stall{w}})
	}
	for name, ranks := range map[string][]Rank{"ring": ring, "chaos": chaos} {
		report := Report(ranks)
		lines := strings.Split(report, "\n")
		if len(lines) > mostLines+1 {
			t.Errorf("%s: %d lines:\n%s", name, len(lines), report)
		}
		for _, line := range lines {
			if len(line) > 160 {
				t.Errorf("%s: %d bytes in line %q", name, len(line), line)
			}
		}
	}
	if got := strings.Count(Report(ring), "\n"); got != 2 {
		t.Errorf("a ring takes %d lines:\n%s", got, Report(ring))
	}
}
