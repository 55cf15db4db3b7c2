package progress_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// More messages than a link can take wait in the backlog, keep their order among short and long ones, and leave
// as room comes, though the sender computes.
func TestBacklog(t *testing.T) {
	onEveryLink(t, 3, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		const messages = 400
		length := func(i int) int { return []int{10, 3000, 9000, 100, 150_000}[i%5] }
		var sent []progress.Handle
		for i := range messages {
			for _, to := range []int{1, 2} {
				if h := loops[0].Isend(pattern(length(i), i), at(to, 1), engine.Standard, why("isend")); h.R != nil {
					sent = append(sent, h)
				}
			}
		}
		var done []<-chan struct{}
		for _, me := range []int{1, 2} {
			done = append(done, async(func() {
				buf := make([]byte, 150_000)
				for i := range messages {
					st, err := recv(loops[me], buf, 0, 1)
					if err != nil || !bytes.Equal(buf[:st.Len], pattern(length(i), i)) {
						t.Errorf("message %d to %d: %d bytes, %v", i, me, st.Len, err)
						return
					}
				}
			}))
		}
		within(t, "rank 1", done[0]) // nobody calls on rank 0
		within(t, "rank 2", done[1])
		if taken, _, err := collect(loops[0], progress.Want{Need: len(sent), All: true}, sent...); err != nil || len(taken) != len(sent) {
			t.Errorf("%d of %d sends completed: %v", len(taken), len(sent), err)
		}
		if n := loops[0].Pending(); n != 0 {
			t.Errorf("%d requests still in flight", n)
		}
	})
}

// Everybody floods everybody, with goroutines that send while others receive: nothing deadlocks.
func TestFlood(t *testing.T) {
	onEveryLink(t, 3, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		const messages = 300
		var all []<-chan struct{}
		for me := range loops {
			for peer := range loops {
				all = append(all, async(func() {
					for i := range messages {
						if err := send(loops[me], pattern(2000, i), peer, me); err != nil {
							t.Error(err)
							return
						}
					}
				}), async(func() {
					buf := make([]byte, 2000)
					for i := range messages {
						if _, err := recv(loops[me], buf, peer, peer); err != nil || !bytes.Equal(buf, pattern(2000, i)) {
							t.Errorf("message %d from %d to %d: %v", i, peer, me, err)
							return
						}
					}
				}))
			}
		}
		for _, done := range all {
			within(t, "a goroutine", done)
		}
	})
}

// slowLink is a link that has to make connections first.
type slowLink struct {
	progress.Transport
	up      [3]bool
	reached []int
	offers  []int // peers that were offered a packet, in order
}

func (l *slowLink) Send(p *wire.Packet) bool {
	l.offers = append(l.offers, p.Peer)
	return l.up[p.Peer] && l.Transport.Send(p)
}

func (l *slowLink) Reaching(peer int) bool { return !l.up[peer] }

func (l *slowLink) Reached() []int {
	all := l.reached
	l.reached = nil
	return all
}

// A packet that waits for a connection is offered again when that stands, and not with every poll; then in
// the order of peers.
func TestDialerIsNotAskedAgain(t *testing.T) {
	ends := inprocEnds(t, 3)
	slow := &slowLink{Transport: ends[0].link.Transport}
	ends[0].link.Transport, ends[0].link.Dialer = slow, slow
	loops := newLoops(t, ends, func(c *progress.Config) { c.Mode = progress.Poll })
	for _, to := range []int{2, 1} {
		loops[0].Isend(pattern(100, to), at(to, 5), engine.Standard, why("isend"))
	}
	slow.offers = nil
	for range 100 {
		if _, _, err := loops[0].Iprobe(at(1, 9)); err != nil {
			t.Fatal(err)
		}
	}
	if len(slow.offers) != 0 {
		t.Fatalf("%d offers while there is no connection", len(slow.offers))
	}
	slow.up, slow.reached = [3]bool{true, true, true}, []int{2, 1}
	if _, _, err := loops[0].Iprobe(at(1, 9)); err != nil || !slices.Equal(slow.offers, []int{1, 2}) {
		t.Errorf("offered to %v, %v", slow.offers, err)
	}
	for _, me := range []int{1, 2} {
		buf := make([]byte, 100)
		if _, err := recv(loops[me], buf, 0, 5); err != nil || !bytes.Equal(buf, pattern(100, me)) {
			t.Errorf("rank %d: %v", me, err)
		}
	}
}
