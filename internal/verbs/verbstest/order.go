package verbstest

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// What comes before what.
var orderCases = []scenario{
	{name: "order/a Send comes after the Writes before it", types: reliable, run: writeThenSend},
	{name: "order/a Read sees the Writes before it", types: reliable, run: readAfterWrite},
	{name: "order/Sends arrive in order", types: reliable, run: sendsInOrder},
	{name: "order/receives are used in order", run: receivesInOrder},
	{name: "order/completions of mixed operations", run: mixedOrder},
	{name: "order/few Reads at a time", types: reliable, run: fewReads},
	{name: "order/Fence holds a Write back", types: reliable, run: fence},
}

func writeThenSend(r *rig) {
	r.need(r.hasReadWrite(), "Write")
	const most = 300_000
	a, b := r.pair()
	src, dst := a.host.region(r, most, 0), b.host.region(r, most, verbs.LocalWrite|verbs.RemoteWrite)
	for i := range uint64(r.times(40)) {
		n := 3 + r.rnd.IntN(most-3)
		fill(src.buf[:n], i)
		b.recv(i)
		cut := r.rnd.IntN(n)
		a.post(
			verbs.SendWR{Op: verbs.Write, SGL: src.sgl(cut, n), RemoteAddr: dst.at(cut), RKey: dst.mr.RKey()},
			verbs.SendWR{Op: verbs.Write, SGL: src.sgl(0, cut), RemoteAddr: dst.at(0), RKey: dst.mr.RKey()},
			verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled},
		)
		b.got(i, verbs.Recv, 0)
		r.holds(fmt.Sprintf("two Writes of %d bytes before a Send", n), dst.buf[:n], i)
		a.sent(i, verbs.Send)
	}
}

func readAfterWrite(r *rig) {
	r.need(r.hasReadWrite(), "Read and Write")
	const most = 200_000
	a, b := r.pair()
	src, back := a.host.region(r, most, 0), a.host.region(r, most, verbs.LocalWrite)
	far := b.host.region(r, most, verbs.LocalWrite|verbs.RemoteWrite|verbs.RemoteRead)
	for i := range uint64(r.times(30)) {
		n := 1 + r.rnd.IntN(most)
		fill(src.buf[:n], i)
		a.post(
			verbs.SendWR{Op: verbs.Write, SGL: src.sgl(0, n), RemoteAddr: far.at(0), RKey: far.mr.RKey()},
			verbs.SendWR{ID: i, Op: verbs.Read, Flags: verbs.Signaled, SGL: back.sgl(0, n), RemoteAddr: far.at(0), RKey: far.mr.RKey()},
		)
		a.sent(i, verbs.Read)
		r.holds("Read after Write", back.buf[:n], i)
	}
}

// sendsInOrder streams messages of mixed sizes, numbered, as fast as the queues take them.
func sendsInOrder(r *rig) {
	const most = 20_000
	count := r.times(600)
	a, b := r.pair()
	src, dst := a.host.region(r, 32*most, 0), b.host.region(r, 32*most, verbs.LocalWrite)
	size := make([]int, count)
	for i := range size {
		size[i] = 8 + r.randomSize(most-8)
	}
	posted, sent, ready := 0, 0, 0
	for got := 0; got < count; got++ {
		for ; ready < count && ready < got+32; ready++ {
			b.recv(uint64(ready), dst.sge(ready%32*most, ready%32*most+most))
		}
		for ; posted < count && posted < got+32 && posted < sent+32; posted++ {
			at := posted % 32 * most
			fill(src.buf[at:at+size[posted]], uint64(posted))
			a.post(verbs.SendWR{ID: uint64(posted), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(at, at+size[posted])})
		}
		b.got(uint64(got), verbs.Recv, size[got])
		at := got % 32 * most
		r.holds(fmt.Sprintf("message %d", got), dst.buf[at:at+size[got]], uint64(got))
		for len(a.sends.done) > 0 || sent <= got {
			a.sent(uint64(sent), verbs.Send)
			sent++
		}
	}
}

// receivesInOrder holds for UD too: whatever arrives takes the oldest receive.
func receivesInOrder(r *rig) {
	const count = 40
	a, b := r.pair()
	src, dst := a.host.region(r, 8, 0), b.host.region(r, 8*count, verbs.LocalWrite)
	for i := range count {
		b.recv(uint64(1000+i), dst.sge(8*i, 8*i+8))
	}
	seen := map[uint64]bool{}
	for i := range count {
		binary.LittleEndian.PutUint64(src.buf, uint64(i))
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 8)})
		a.sent(uint64(i), verbs.Send)
		b.got(uint64(1000+i), verbs.Recv, 8)
		word := binary.LittleEndian.Uint64(dst.buf[8*i:])
		if word >= count || seen[word] {
			r.Fatalf("receive %d has message %d, twice or never sent", i, word)
		}
		seen[word] = true
	}
}

// mixedOrder posts random operations, signaled or not, and checks that exactly the signaled ones complete, in order.
func mixedOrder(r *rig) {
	a, b := r.pair()
	near := a.host.region(r, 50_000, verbs.LocalWrite)
	far := b.host.region(r, 50_000, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite|verbs.RemoteAtomic)
	ops := []verbs.Op{verbs.Send}
	if r.hasReadWrite() {
		ops = append(ops, verbs.Write, verbs.Read, verbs.Read)
	}
	if r.caps.Atomics && r.typ != verbs.UD {
		ops = append(ops, verbs.FetchAdd)
	}
	for round := range r.times(20) {
		var batch []verbs.SendWR
		var want []verbs.SendWR
		receives := 0
		for i := range 24 {
			wr := verbs.SendWR{ID: uint64(round*100 + i), Op: ops[r.rnd.IntN(len(ops))], RemoteAddr: far.at(0), RKey: far.mr.RKey(), Swap: 1}
			n := min(r.randomSize(20_000), 20_000)
			switch wr.Op {
			case verbs.Send:
				receives++
				n = min(n, 1000)
			case verbs.FetchAdd:
				n = 8
			}
			wr.SGL = near.sgl(0, n)
			if i == 23 || r.rnd.IntN(2) == 0 {
				wr.Flags = verbs.Signaled
				want = append(want, wr)
			}
			batch = append(batch, wr)
		}
		for i := range receives {
			b.recv(uint64(i), far.sge(30_000, 40_000))
		}
		a.post(batch...)
		for _, wr := range want {
			a.sent(wr.ID, wr.Op)
		}
		r.take(b.recvs, receives)
	}
	if n := len(a.sends.done); n > 0 {
		r.Errorf("%d completions too many", n)
	}
}

// fewReads posts many Reads where only few may be under way: the device waits by itself.
func fewReads(r *rig) {
	r.need(r.hasReadWrite(), "Read")
	const count = 30
	for _, few := range []int{1, 2} {
		a, b := r.pair(func(c *verbs.QPConfig) { c.Reads, c.ReadsIn = few, few })
		src, dst := b.host.region(r, 1000*count, verbs.RemoteRead), a.host.region(r, 1000*count, verbs.LocalWrite)
		fill(src.buf, 1)
		for i := range count {
			a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Read, Flags: verbs.Signaled, SGL: dst.sgl(1000*i, 1000*i+1000),
				RemoteAddr: src.at(1000 * i), RKey: src.mr.RKey()})
		}
		for i := range count {
			a.sent(uint64(i), verbs.Read)
		}
		r.holds("Reads, few at a time", dst.buf, 1)
	}
}

// fence overwrites what an earlier Read reads.
func fence(r *rig) {
	r.need(r.hasReadWrite(), "Read and Write")
	const n = 256 << 10
	a, b := r.pair()
	src, back := a.host.region(r, n, 0), a.host.region(r, n, verbs.LocalWrite)
	far := b.host.region(r, n, verbs.LocalWrite|verbs.RemoteWrite|verbs.RemoteRead)
	fill(far.buf, 0)
	for i := range uint64(r.times(10)) {
		fill(src.buf, i+1)
		a.post(
			verbs.SendWR{ID: 2 * i, Op: verbs.Read, Flags: verbs.Signaled, SGL: back.sgl(0, n), RemoteAddr: far.at(0), RKey: far.mr.RKey()},
			verbs.SendWR{ID: 2*i + 1, Op: verbs.Write, Flags: verbs.Signaled | verbs.Fence, SGL: src.sgl(0, n), RemoteAddr: far.at(0), RKey: far.mr.RKey()},
		)
		a.sent(2*i, verbs.Read)
		r.holds("Read before a fenced Write", back.buf, i)
		a.sent(2*i+1, verbs.Write)
	}
}
