package experiments

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
)

// TestLinesEndWhereTheyDoNotFit: a line has points where its algorithm fits, and nothing where another
// would have to serve: 16 ranks of four nodes put 1 MB and more into node memory for blocks of 8 KB.
func TestLinesEndWhereTheyDoNotFit(t *testing.T) {
	r := &lab.Result{}
	o, err := alltoallStudy.only(shmDirect, papShm).measured(t.Context(), newBench(t), r, 16, []int{4 << 10, 8 << 10}, mild)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{shmDirect, papShm} {
		if p := o.panels[mild].Line(line).Points; len(p) != 1 || p[0].X != 4<<10 {
			t.Errorf("%s has points at %v, want one, at 4 KB", line, p)
		}
	}
	if early, twin := o.waits(mild, "pap_shm_direct", 4<<10).early, o.waits(mild, "shm_direct", 4<<10).early; early <= twin {
		t.Errorf("%v bytes are copied early by arrival, %v without", early, twin)
	}
}

// arrivedPort is a port on which some ranks have come. It notes sends; nothing ends.
type arrivedPort struct {
	plan.Port
	come map[int]bool
	sent []int
}

func (p *arrivedPort) Send(s *plan.Step, _ []byte, _ int) bool {
	p.sent = append(p.sent, int(s.Peer))
	return false
}
func (p *arrivedPort) Recv(*plan.Step, []byte, int)       {}
func (p *arrivedPort) Copy(_ *plan.Step, dst, src []byte) { copy(dst, src) }
func (p *arrivedPort) Arrived(peer int) bool              { return p.come[peer] }

// TestByArrivalFirst: with copies, too, a rank sends first to those whose block has come, downwards, then to the rest.
func TestByArrivalFirst(t *testing.T) {
	const ranks, n = 6, 16
	h := newTheatre(lab.Job{Ranks: ranks, PerNode: 1}, coll.Alltoall, copyPlans(true))
	c := h.surround
	c.Bytes = n
	plans, err := h.plans(c)
	if err != nil {
		t.Fatal(err)
	}
	port := &arrivedPort{come: map[int]bool{1: true, 4: true}}
	var run plan.Run
	bufs := plan.Bufs{In: make([]byte, ranks*n), Out: make([]byte, ranks*n), Tmp: make([]byte, plans[0].TmpLen)}
	run.Start(plans[0], &bufs, nil, port)
	if want := []int{4, 1, 5, 3, 2}; !slices.Equal(port.sent, want) {
		t.Errorf("rank 0 sends to %v, want %v", port.sent, want)
	}
}

// dear returns the profile of the document's machine with other costs of copies: microseconds per KB, and
// how many of a node's ranks copy at that speed at a time.
func dear(t *testing.T, usPerKB, parallel float64) lab.Platform {
	t.Helper()
	p, err := sim.LoadProfile("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]float64{"copy_us_per_kb": usPerKB, "copy_parallel": parallel} {
		tree["parameters"].(map[string]any)[name].(map[string]any)["value"] = value
	}
	if text, err = json.Marshal(tree); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dear.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return lab.Platform("sim:" + file)
}

// TestDearCopiesPartTheTwins: without copies PAP_Direct is ahead of Direct whatever copies cost. Of the
// better of both schemes it is the more ahead the dearer copies are: Direct can hide behind copies, which
// wait for nobody, as long as they are cheap. With a node that copies 1.7 GB/s the gains are those of the
// document.
func TestDearCopiesPartTheTwins(t *testing.T) {
	onlySoaking(t)
	const at = 8 << 10
	last := 0.0
	for _, v := range []struct{ usPerKB, parallel float64 }{{0.2, 2}, {0.3125, 1}, {0.6, 1}} {
		b := newBench(t)
		on := b.Setups("IB3")[0]
		on.On = dear(t, v.usPerKB, v.parallel)
		o, err := alltoallStudy.only(mvapichLine, direct, papDirect).measuredOn(t.Context(), b, on, &lab.Result{}, 16, []int{at}, mild)
		if err != nil {
			t.Fatal(err)
		}
		p, w := o.panels[mild], o.ways[mild]
		pap := p.Line(papDirect).At(at)
		twins, native, bare := p.Line(direct).At(at)/pap, p.Line(mvapichLine).At(at)/pap, w["direct_zero"].At(at)/w["pap_direct"].At(at)
		t.Logf("a node copies %.1f GB/s: PAP_Direct over Direct %.2f, over MVAPICH %.2f; zero-copy over Direct %.2f", v.parallel*1.024/v.usPerKB, twins, native, bare)
		if bare < 1.3 || twins <= last {
			t.Errorf("%+v: %.3f over Direct, after %.3f with cheaper copies; zero-copy %.3f", v, twins, last, bare)
		}
		if held := o.waits(mild, "direct_zero", at).blocked; held == 0 || o.waits(mild, "pap_direct", at).blocked+o.waits(mild, "direct@1", at).blocked+o.waits(mild, "pap_copy", at).blocked > 0 {
			t.Errorf("%+v: only Direct without copies is held up: %+v", v, o.tally)
		}
		if last = twins; v.usPerKB == 0.6 && (twins < 1.3 || native < 0.65*3.1 || native > 1.35*3.1) {
			t.Errorf("%.3f over Direct and %.3f over MVAPICH", twins, native)
		}
	}
}
