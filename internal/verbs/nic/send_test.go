package nic

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/verbs"
)

// sending is a work request in the model of a send queue.
type sending struct {
	id       uint64
	signaled bool
	inline   []byte // what it carries, if it is inline
	status   verbs.Status
	done     bool
}

// sendModel is a send queue and its naive twin.
type sendModel struct {
	q       *Sends
	cfg     verbs.QPConfig
	table   *Regions
	r       *Region
	open    []sending
	started int // of open
	first   uint64
	next    uint64
}

// post posts a random work request to both.
func (m *sendModel) post(t *rapid.T) {
	list, n := pieces(t, m.r, m.cfg.SendSGE+1)
	m.next++
	wr := verbs.SendWR{ID: m.next, Op: verbs.Send, SGL: list}
	w := sending{id: m.next}
	if rapid.Bool().Draw(t, "signaled") {
		wr.Flags |= verbs.Signaled
		w.signaled = true
	}
	if rapid.Bool().Draw(t, "inline") {
		wr.Flags |= verbs.Inline
		w.inline = []byte{}
		for i := range list {
			list[i].LKey = 0 // not looked at
			w.inline = append(w.inline, list[i].Buf...)
		}
	}
	err := m.q.Post(m.table, 1, &wr)
	if w.inline != nil {
		for i := range m.r.Buf {
			m.r.Buf[i]++ // the memory is ours again
		}
	}
	switch {
	case len(m.open) == m.cfg.SendDepth:
		if err != verbs.ErrFull {
			t.Fatalf("into a full queue: %v", err)
		}
	case len(list) > m.cfg.SendSGE, w.inline != nil && n > m.cfg.Inline:
		if !errors.Is(err, verbs.ErrArgument) {
			t.Fatalf("%d pieces, %d bytes, inline %v: %v", len(list), n, w.inline != nil, err)
		}
	case err != nil:
		t.Fatal(err)
	default:
		m.open = append(m.open, w)
	}
}

// start starts the next one.
func (m *sendModel) start(t *rapid.T) {
	s, number := m.q.Next()
	if m.started == len(m.open) {
		if s != nil {
			t.Fatal("there is a next one when all are started")
		}
		return
	}
	want := m.open[m.started]
	if s == nil || s.WR.ID != want.id || number != m.first+uint64(m.started) {
		t.Fatalf("next is %+v, number %d, want id %d", s, number, want.id)
	}
	if want.inline != nil && (len(s.WR.SGL) != 1 || !bytes.Equal(s.WR.SGL[0].Buf, want.inline)) {
		t.Fatalf("inline send %d carries %v, want %v", want.id, s.WR.SGL, want.inline)
	}
	m.q.Start()
	m.started++
}

// finish ends any started one.
func (m *sendModel) finish(t *rapid.T) {
	if m.started == 0 {
		t.Skip("none is started")
	}
	i := rapid.IntRange(0, m.started-1).Draw(t, "which")
	s := m.q.Get(m.first + uint64(i))
	if s == nil || s.WR.ID != m.open[i].id {
		t.Fatalf("number %d is %+v, want id %d", m.first+uint64(i), s, m.open[i].id)
	}
	if m.open[i].done {
		return
	}
	status := rapid.SampledFrom([]verbs.Status{verbs.OK, verbs.RemoteAccess}).Draw(t, "status")
	s.Done, s.Status = true, status
	m.open[i].done, m.open[i].status = true, status
}

// retire takes off what is done at the front.
func (m *sendModel) retire(t *rapid.T) {
	var got, want []uint64
	m.q.Retire(func(s *Sending) {
		if s.WR.AH != nil || !s.Done {
			t.Fatalf("retired %+v", s)
		}
		got = append(got, s.WR.ID)
	})
	for len(m.open) > 0 && m.open[0].done {
		if w := m.open[0]; w.signaled || m.cfg.SignalAll || w.status != verbs.OK {
			want = append(want, w.id)
		}
		m.open, m.first = m.open[1:], m.first+1
		m.started = max(m.started-1, 0)
	}
	if len(got) != len(want) {
		t.Fatalf("reported %v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("reported %v, want %v", got, want)
		}
	}
}

// TestSendsAgainstModel posts, starts, finishes out of order, retires and flushes at random.
func TestSendsAgainstModel(t *testing.T) {
	table, r := board(t)
	rapid.Check(t, func(t *rapid.T) {
		cfg := verbs.QPConfig{SendDepth: rapid.IntRange(1, 12).Draw(t, "depth"), SendSGE: rapid.IntRange(1, 3).Draw(t, "sges"),
			Inline: rapid.IntRange(0, 80).Draw(t, "inline"), SignalAll: rapid.Bool().Draw(t, "all")}
		m := &sendModel{q: NewSends(&cfg), cfg: cfg, table: table, r: r}
		t.Repeat(map[string]func(*rapid.T){
			"unpost": func(t *rapid.T) {
				if len(m.open) > m.started {
					m.q.Unpost()
					m.open = m.open[:len(m.open)-1]
				}
			},
			"post": m.post, "start": m.start, "finish": m.finish, "retire": m.retire,
			"flush": func(t *rapid.T) {
				m.q.Flush()
				for i := range m.open {
					if !m.open[i].done {
						m.open[i].done, m.open[i].status = true, verbs.Flushed
					}
				}
				m.started = len(m.open)
			},
			"clear": func(t *rapid.T) {
				m.q.Clear()
				m.first += uint64(len(m.open))
				m.open, m.started = nil, 0
			},
			"": func(t *rapid.T) {
				q := m.q
				if q.Open() != len(m.open) || q.Waiting() != len(m.open)-m.started || q.Full() != (len(m.open) == cfg.SendDepth) ||
					q.First() != m.first || q.End() != m.first+uint64(len(m.open)) {
					t.Fatalf("open %d, waiting %d, full %v, first %d, end %d; want %d, %d, first %d", q.Open(), q.Waiting(), q.Full(),
						q.First(), q.End(), len(m.open), len(m.open)-m.started, m.first)
				}
				if q.Get(q.End()) != nil || m.first > 0 && q.Get(m.first-1) != nil {
					t.Fatal("a number that is not open finds something")
				}
			},
		})
	})
}

// TestQueuesAllocateNothing once they have grown.
func TestQueuesAllocateNothing(t *testing.T) {
	table, r := board(t)
	sends := NewSends(&verbs.QPConfig{SendDepth: 4, SendSGE: 2, Inline: 64})
	recvs := NewReceives(4, 2)
	cq := NewCompletions(verbs.CQConfig{Depth: 8})
	var taken Receive
	out := make([]verbs.Completion, 8)
	list := []verbs.SGE{{Buf: r.Buf[:8], LKey: r.LKey()}, {Buf: r.Buf[:8], LKey: r.LKey()}}
	plain := verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled, SGL: list}
	inline := verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled | verbs.Inline, SGL: list}
	receive := verbs.RecvWR{SGL: list}
	report := func(s *Sending) {
		if c, _ := cq.Add(); c != nil {
			c.ID = s.WR.ID
			cq.Ring(c)
		}
	}
	round := func() {
		for _, wr := range []*verbs.SendWR{&plain, &inline} {
			if sends.Post(table, 1, wr) != nil {
				t.Fatal("post")
			}
			s, _ := sends.Next()
			sends.Start()
			s.Done = true
		}
		sends.Retire(report)
		if recvs.Post(table, 1, &receive) != nil {
			t.Fatal("post")
		}
		recvs.Take(&taken)
		if cq.Take(out) != 2 {
			t.Fatal("completions")
		}
	}
	for range 8 { // every slot has been used
		round()
	}
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
