package verbstest

import (
	"encoding/binary"
	"errors"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Connections that promise order, and that what arrives is whole, but not that it arrives.
var looseCases = []scenario{
	{name: "loose/whole and in order", types: loose, lossy: true, run: looseStream},
	{name: "loose/losses", types: loose, run: looseLosses},
	{name: "loose/no receive", types: loose, run: looseNoReceive},
	{name: "loose/Write", types: loose, run: looseWrites},
	{name: "loose/Write where it may not", types: loose, run: looseForbidden},
	{name: "loose/memory is the sender's again", types: loose, run: looseReuse},
	{name: "loose/what it cannot do", types: loose, run: looseLacks},
	{name: "loose/too long", types: loose, run: looseTooLong},
}

// numbered is a stream of messages of different lengths, each of which begins with its number.
type numbered struct {
	a, b     *end
	src, dst *region
	room     int
}

func (r *rig) numbered(count int) *numbered {
	a, b := r.pair(func(c *verbs.QPConfig) { c.SendDepth, c.RecvDepth = count, count })
	s := &numbered{a: a, b: b, room: 20_000}
	s.src, s.dst = a.host.region(r, s.room, 0), b.host.region(r, count*s.room, verbs.LocalWrite)
	for i := range count {
		b.recv(uint64(i), s.dst.sge(i*s.room, (i+1)*s.room))
	}
	return s
}

// size is that of message i.
func (s *numbered) size(i int) int { return 8 + i*7919%(s.room-8) }

// send sends message i and waits for its completion, after which the memory is used again.
func (s *numbered) send(i int) {
	n := s.size(i)
	fill(s.src.buf[8:n], uint64(i))
	binary.LittleEndian.PutUint64(s.src.buf, uint64(i))
	s.a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: s.src.sgl(0, n)})
	s.a.sent(uint64(i), verbs.Send)
}

// arrived checks what has come: whole, in order, none twice. It tells which messages.
func (s *numbered) arrived() (all []int) {
	r := s.a.r
	r.settle()
	for slot, c := range s.b.recvs.done {
		got := s.dst.buf[slot*s.room:]
		i := int(binary.LittleEndian.Uint64(got))
		if c.Status != verbs.OK || c.ID != uint64(slot) || c.Op != verbs.Recv || len(all) > 0 && i <= all[len(all)-1] {
			r.Fatalf("message %d after %v: %v id %d %v", i, all, c.Op, c.ID, c.Status)
		}
		n := s.size(i)
		if bad := firstWrong(got[8:n], uint64(i)); c.Len != n || bad >= 0 {
			r.Fatalf("message %d has %d bytes, want %d; byte %d is wrong", i, c.Len, n, bad+8)
		}
		all = append(all, i)
	}
	s.b.recvs.done = nil
	if s.a.qp.State() != verbs.RTS || s.b.qp.State() != verbs.RTS {
		r.Fatalf("the ends are %v and %v", s.a.qp.State(), s.b.qp.State())
	}
	return all
}

func looseStream(r *rig) {
	const count = 60
	s := r.numbered(count)
	for i := range count {
		s.send(i)
	}
	if all := s.arrived(); len(all) != count && !r.opt.Lossy || len(all) == 0 {
		r.Errorf("%d of %d messages arrived", len(all), count)
	}
}

// looseLosses has every third message get lost: the sender is not told, and all others arrive.
func looseLosses(r *rig) {
	tapped, ok := r.hosts[0].dev.(verbs.Tapped)
	r.need(ok && r.caps.Wire, "wire to tamper with")
	const count = 30
	s := r.numbered(count)
	n := 0
	tapped.Tap(func(verbs.Datagram) verbs.Fate {
		n++
		return verbs.Fate{Drop: n%3 == 0, Copies: n % 2}
	})
	for i := range count {
		s.send(i)
	}
	all := s.arrived()
	for at, i := range all {
		if i != at+at/2 {
			r.Fatalf("arrived: %v, every third was lost", all)
		}
	}
	if len(all) != count-count/3 {
		r.Errorf("%d of %d messages arrived, every third was lost", len(all), count)
	}
}

// looseNoReceive: what finds no receive is gone, and nobody waits or breaks.
func looseNoReceive(r *rig) {
	a, b := r.pair()
	for i := range uint64(3) {
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		a.sent(i, verbs.Send)
	}
	r.settle()
	b.recv(7)
	r.settle()
	if len(b.recvs.done) > 0 {
		r.Errorf("a message waited for a receive: %+v", b.recvs.done[0])
	}
	a.post(verbs.SendWR{ID: 9, Op: verbs.Send, Flags: verbs.Signaled})
	a.sent(9, verbs.Send)
	b.got(7, verbs.Recv, 0)
	a.hello()
	b.hello()
}

func looseWrites(r *rig) {
	a, b := r.pair()
	const n = 100_000
	src, dst := a.host.region(r, n, 0), b.host.region(r, n, verbs.LocalWrite|verbs.RemoteWrite)
	fill(src.buf, 3)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Write, Flags: verbs.Signaled, SGL: src.sgl(0, n), RemoteAddr: dst.at(0), RKey: dst.mr.RKey()})
	a.sent(1, verbs.Write)
	a.hello() // comes after it
	r.holds("written", dst.buf, 3)
	dst.intact()
	if !r.caps.WriteImm {
		return
	}
	b.recv(5)
	a.post(verbs.SendWR{ID: 2, Op: verbs.WriteImm, Flags: verbs.Signaled, SGL: src.sgl(0, 8), RemoteAddr: dst.at(8), RKey: dst.mr.RKey(), Imm: 77})
	a.sent(2, verbs.WriteImm)
	if c := b.got(5, verbs.RecvImm, 8); c.Imm != 77 || c.Marks&verbs.HasImm == 0 {
		r.Errorf("immediate data %d, marks %b", c.Imm, c.Marks)
	}
}

// looseForbidden writes where it may not: nothing happens, and nobody is told.
func looseForbidden(r *rig) {
	a, b := r.pair()
	src, dst := a.host.region(r, 64, 0), b.host.region(r, 64, verbs.LocalWrite)
	fill(src.buf, 3)
	for i, wr := range []verbs.SendWR{
		{RemoteAddr: dst.at(0), RKey: dst.mr.RKey()},
		{RemoteAddr: dst.at(32), RKey: dst.mr.RKey()},
		{RemoteAddr: dst.at(0), RKey: dst.mr.RKey() + 1<<20},
	} {
		wr.ID, wr.Op, wr.Flags, wr.SGL = uint64(i), verbs.Write, verbs.Signaled, src.sgl(0, 64)
		a.post(wr)
		a.sent(wr.ID, verbs.Write)
	}
	a.hello()
	b.hello()
	for i, v := range dst.buf {
		if v != 0 {
			r.Fatalf("byte %d was written without the right to", i)
		}
	}
	dst.intact()
}

// looseReuse changes memory as soon as the send of it has completed.
func looseReuse(r *rig) {
	a, b := r.pair()
	const n = 1 << 20
	src, dst := a.host.region(r, n, 0), b.host.region(r, n, verbs.LocalWrite)
	fill(src.buf, 8)
	b.recv(1, dst.sge(0, n))
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
	a.sent(1, verbs.Send)
	fill(src.buf, 9)
	b.got(1, verbs.Recv, n)
	r.holds("sent before the memory was changed", dst.buf, 8)
}

// looseLacks: no Read, no atomics, no shared receive queue.
func looseLacks(r *rig) {
	a, b := r.pair()
	mem, far := a.host.region(r, 8, verbs.LocalWrite), b.host.region(r, 8, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteAtomic)
	for _, op := range []verbs.Op{verbs.Read, verbs.FetchAdd, verbs.CompareSwap, verbs.WriteRecord} {
		wr := verbs.SendWR{Op: op, SGL: mem.sgl(0, 8), RemoteAddr: far.at(0), RKey: far.mr.RKey()}
		if n, err := a.qp.PostSend([]verbs.SendWR{wr}); n != 0 || !errors.Is(err, verbs.ErrArgument) {
			r.Errorf("%v: took %d, %v", op, n, err)
		}
	}
	a.hello()
	if !r.caps.SRQ {
		return
	}
	srq, err := a.host.pd.NewSRQ(verbs.SRQConfig{Depth: 8})
	if err != nil {
		r.Fatal(err)
	}
	cfg := verbs.QPConfig{Type: verbs.UC, SendCQ: a.sends.cq, RecvCQ: a.recvs.cq, SRQ: srq, SendDepth: 8}
	if _, err := a.host.pd.NewQP(cfg); !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("a shared receive queue: %v", err)
	}
}

// looseTooLong breaks the receiver's end; the sender learns that the connection is gone, not why.
func looseTooLong(r *rig) {
	a, b := r.pair()
	src, dst := a.host.region(r, 64, 0), b.host.region(r, 64, verbs.LocalWrite)
	fill(src.buf, 1)
	b.recv(1, dst.sge(0, 32))
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 64)})
	a.sent(1, verbs.Send)
	if c := r.take(b.recvs, 1)[0]; c.ID != 1 || c.Status != verbs.LocalLength {
		r.Errorf("id %d, %v", c.ID, c.Status)
	}
	b.becomes(verbs.Error)
	r.event(a.host, a.qp.Num(), verbs.QPFatal, verbs.Disconnected)
	for i, v := range dst.buf[32:] {
		if v != 0 {
			r.Fatalf("byte %d beyond the receive was written", 32+i)
		}
	}
}
