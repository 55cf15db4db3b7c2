package progress_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/wire"
)

// lends has a link send from the program's memory from the second use of a buffer on.
func lends(cfg *rail.Config) {
	cfg.Reuse = registrar.Reuse{On: true, Spec: reuse.DefaultSpeculate, Thresholds: func() (t reuse.Thresholds) {
		for p := range t {
			for c := range t[p] {
				t[p][c] = 1
			}
		}
		return t
	}}
}

// Messages from one buffer, overwritten as soon as it is the program's again, arrive once each and as they were sent,
// whether they are short enough to be sent without a request or not.
func TestBuffersUsedAgain(t *testing.T) {
	for _, c := range []rail.Channel{rail.SRQ, rail.ArdmaSRQ, rail.UD} {
		t.Run(c.String(), func(t *testing.T) {
			ends := rails(c, lends)(t, 2)
			loops := newLoops(t, ends, nil)
			const messages = 600
			length := func(i int) int { return []int{200, 1000, 4000, 4096, 5000, 20000}[i%6] }
			got := async(func() {
				buf := make([]byte, 20000)
				for i := range messages {
					st, err := recv(loops[1], buf, 0, 1)
					if err != nil || !bytes.Equal(buf[:st.Len], pattern(length(i), i)) {
						t.Errorf("message %d: %d bytes, %v", i, st.Len, err)
						return
					}
				}
			})
			buf := make([]byte, 20000)
			for i := range messages {
				b := buf[:length(i)]
				copy(b, pattern(len(b), i))
				var err error
				if i%3 == 0 {
					if h := loops[0].Isend(b, at(1, 1), engine.Standard, why("isend")); h.R != nil {
						_, _, err = collect(loops[0], progress.Want{Need: 1, All: true}, h)
					}
				} else {
					err = loops[0].Send(context.Background(), b, at(1, 1), engine.Standard, why("send"))
				}
				if err != nil {
					t.Fatal(err)
				}
				clear(b)
			}
			within(t, "the receiver", got)
			if rest := loops[1].Unmatched(); len(rest) > 0 {
				t.Errorf("%d messages came twice", len(rest))
			}
			loops[0].Locked(func() {
				if n := ends[0].link.Transport.(*rail.Link).Counters; n.ZeroCopies != messages-1 || n.Copies != 1 {
					t.Errorf("%d messages: %d left without a copy, %d with one", messages, n.ZeroCopies, n.Copies)
				}
			})
		})
	}
}

// lender is a link that refuses what it may only take whole, and needs the bytes of all other packets for a while.
type lender struct {
	progress.Transport
	refused, taken int
	offers         int // of the packet that was taken last
}

func (l *lender) Send(p *wire.Packet) bool {
	switch {
	case p.Whole:
		l.refused++
		return false
	case len(p.Data) == 0:
		return l.Transport.Send(p)
	case p.Sent == 0:
		if !l.Transport.Send(p) {
			return false
		}
		l.taken++
		l.offers = 0
	}
	l.offers++
	return l.offers > 3
}

// A packet that a link has taken and not returned is offered until it is, and sent once; its send is over only then.
func TestTakenAndReturnedLater(t *testing.T) {
	ends := inprocEnds(t, 2)
	lent := &lender{Transport: ends[0].link.Transport}
	ends[0].link.Transport = lent
	loops := newLoops(t, ends, nil)
	const messages = 50
	for i := range messages {
		n := []int{100, 5000}[i%2]
		if err := send(loops[0], pattern(n, i), 1, i); err != nil {
			t.Fatal(err)
		}
		if lent.offers != 4 {
			t.Fatalf("message %d: its send was over after %d offers", i, lent.offers)
		}
	}
	if lent.taken != messages || lent.refused != messages/2 {
		t.Errorf("%d packets for %d messages, %d refused", lent.taken, messages, lent.refused)
	}
	if n := len(loops[1].Unmatched()); n != messages {
		t.Errorf("%d messages arrived", n)
	}
}

// noting is a link that notes which packets somebody waits for.
type noting struct {
	progress.Transport
	waited []bool
}

func (n *noting) Send(p *wire.Packet) bool {
	ok := n.Transport.Send(p)
	if ok && len(p.Data) > 0 {
		n.waited = append(n.waited, p.Waited)
	}
	return ok
}

// A link is told that the program waits for its buffer in blocking sends, and in no others, whatever was sent before.
func TestWaited(t *testing.T) {
	ends := inprocEnds(t, 2)
	link := &noting{Transport: ends[0].link.Transport}
	ends[0].link.Transport = link
	loops := newLoops(t, ends, nil)
	var want []bool
	for i := range 12 {
		b := pattern([]int{100, 5000}[i/2%2], i)
		blocking := i%2 == 0
		var err error
		if want = append(want, blocking); blocking {
			err = send(loops[0], b, 1, i)
		} else if h := loops[0].Isend(b, at(1, i), engine.Standard, why("isend")); h.R != nil {
			_, _, err = collect(loops[0], progress.Want{Need: 1, All: true}, h)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(link.waited, want) {
		t.Errorf("waited for: %v, want %v", link.waited, want)
	}
	loops[1].Unmatched()
}
