package progress_test

import (
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// writer is an inproc link that can also write, and that moves long messages as it is told.
type writer struct {
	*inproc.Box
	how    wire.Rendezvous
	eager  int
	writes []write
}

type write struct {
	peer  int
	at    wire.Key
	src   []byte
	then  *wire.Packet
	token any
}

func (w *writer) Rendezvous(int) wire.Rendezvous { return w.how }
func (w *writer) EagerMax(int) int               { return w.eager }
func (w *writer) EagerAlone(int) int             { return 0 }
func (w *writer) Unasked(int, int) bool          { return false }
func (w *writer) Prefix(int) int                 { return 0 }
func (w *writer) Ready() bool                    { return len(w.writes) > 0 || w.Box.Ready() }

func (w *writer) Write(peer int, k wire.Key, src []byte, then *wire.Packet, token any) {
	w.writes = append(w.writes, write{peer, k, src, then, token})
	w.Bell().Ring()
}

// Poll does the writes that were asked for, then delivers what has arrived.
func (w *writer) Poll(s wire.Sink) bool {
	writes := w.writes
	w.writes = nil
	for _, t := range writes {
		addr := uintptr(t.at.Addr)
		dst := *(*unsafe.Pointer)(unsafe.Pointer(&addr))
		copy(unsafe.Slice((*byte)(dst), len(t.src)), t.src)
		if t.then != nil {
			w.Send(t.then)
		}
		s.WriteDone(t.token, nil)
	}
	return w.Box.Poll(s) || len(writes) > 0
}

// writers makes n ends whose links move long messages by a protocol.
func writers(how wire.Rendezvous) func(testing.TB, int) []end {
	return func(_ testing.TB, n int) (ends []end) {
		x := inproc.NewExchange(0, n)
		for i := range n {
			link := &writer{Box: x.Box(i), how: how, eager: 1024}
			ends = append(ends, end{link: &progress.Link{Transport: link, Long: link, Near: link}, bell: link.Bell(), self: selfLink(i)})
		}
		return ends
	}
}

// apart returns two loops that make progress only inside calls, so that a test says when each side looks.
func apart(t *testing.T, how wire.Rendezvous, change func(*progress.Config)) []*progress.Loop {
	return newLoops(t, writers(how)(t, 2), func(c *progress.Config) {
		c.Mode = progress.Poll
		if change != nil {
			change(c)
		}
	})
}

// look lets a loop see what has arrived, as a call to Test would.
func look(t *testing.T, l *progress.Loop) {
	if _, ok, err := l.Iprobe(at(0, 999)); ok || err != nil {
		t.Fatalf("probe: %v, %v", ok, err)
	}
}
