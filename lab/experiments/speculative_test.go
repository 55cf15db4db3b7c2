package experiments

import (
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// TestProgressTimeline: with the rendezvous as it was the RTS lies in the receiver's memory for the whole computation;
// with the speculative one the message is there before the computation ends.
func TestProgressTimeline(t *testing.T) {
	tl, err := specProgressTimeline(t.Context(), newBench(t))
	if err != nil {
		t.Fatal(err)
	}
	arrows := map[string]lab.Arrow{}
	for _, a := range tl.Arrows {
		arrows[a.What] = a
	}
	const ms = 1_000_000
	if rts := arrows["RTS"]; rts.Landed-rts.Sent > ms/20 || rts.Received-rts.Landed < ms {
		t.Errorf("RTS: %+v", rts)
	}
	if read := arrows["read"]; read.Sent < arrows["RTS"].Received || read.Bytes != 1<<20 {
		t.Errorf("read: %+v", read)
	}
	computes := int64(0)
	for _, s := range tl.Spans {
		if s.What == "compute" && s.Rank == 2 {
			computes = s.To
		}
	}
	if write := arrows["write"]; write.Landed == 0 || write.Landed > computes || len(tl.Lanes) != 4 {
		t.Errorf("write: %+v, the receiver computes until %d", write, computes)
	}
}

// TestOutcome: messages that change places, or are written where nobody expects them, count as gone astray.
func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		actions string
		right   bool
	}{
		{"1 complete r1 from=0 tag=1 len=9 data=a\n1 complete r2 from=0 tag=1 len=9 data=b", true},
		{"1 complete r1 from=0 tag=1 len=9 data=b\n1 complete r2 from=0 tag=1 len=9 data=a", false},
		{"1 complete r1 from=0 tag=1 len=9 data=garbage", false},
		{"1 complete r1 from=0 tag=1 len=9 data=a\ndeliver: fault: memory is gone", false},
		{"", false},
	} {
		if text, right := outcome(c.actions); right != c.right {
			t.Errorf("%q: %q, %v", c.actions, text, right)
		}
	}
}
