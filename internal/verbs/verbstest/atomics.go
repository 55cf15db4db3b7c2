package verbstest

import (
	"encoding/binary"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Atomic operations on remote memory. Values are 8 bytes in the order of the host that owns them.
var atomicCases = []scenario{
	{name: "atomic/FetchAdd", types: reliable, run: fetchAdd},
	{name: "atomic/CompareSwap", types: reliable, run: compareSwap},
	{name: "atomic/many queue pairs add up", types: reliable, run: addUp},
	{name: "atomic/misaligned", types: reliable, run: misaligned},
}

var host64 = binary.NativeEndian

// atomics makes a pair with a remote word in b and a local one for its old value.
func (r *rig) atomics() (a *end, word, old *region) {
	r.Helper()
	r.need(r.caps.Atomics, "atomics")
	a, b := r.pair()
	return a, b.host.region(r, 64, allRights), a.host.region(r, 8, verbs.LocalWrite)
}

func fetchAdd(r *rig) {
	a, word, old := r.atomics()
	var want uint64 = 1<<63 + 5
	host64.PutUint64(word.buf[8:], want)
	for i, add := range []uint64{0, 1, 1 << 40, 1 << 63, ^uint64(0), 12345} {
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.FetchAdd, Flags: verbs.Signaled, SGL: old.sgl(0, 8), RemoteAddr: word.at(8),
			RKey: word.mr.RKey(), Swap: add})
		a.sent(uint64(i), verbs.FetchAdd)
		if got := host64.Uint64(old.buf); got != want {
			r.Fatalf("FetchAdd %d gave the old value %x, it was %x", i, got, want)
		}
		want += add
	}
	if got := host64.Uint64(word.buf[8:]); got != want {
		r.Fatalf("after all FetchAdds the word is %x, want %x", got, want)
	}
	if host64.Uint64(word.buf) != 0 || host64.Uint64(word.buf[16:]) != 0 {
		r.Error("a neighbour of the word was changed")
	}
}

func compareSwap(r *rig) {
	a, word, old := r.atomics()
	var now uint64 = 7
	host64.PutUint64(word.buf, now)
	for i, row := range [][2]uint64{{7, 9}, {7, 11}, {9, 0}, {0, ^uint64(0)}, {^uint64(0) - 1, 5}} {
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.CompareSwap, Flags: verbs.Signaled, SGL: old.sgl(0, 8), RemoteAddr: word.at(0),
			RKey: word.mr.RKey(), Compare: row[0], Swap: row[1]})
		a.sent(uint64(i), verbs.CompareSwap)
		if got := host64.Uint64(old.buf); got != now {
			r.Fatalf("CompareSwap %d gave the old value %x, it was %x", i, got, now)
		}
		if now == row[0] {
			now = row[1]
		}
		if got := host64.Uint64(word.buf); got != now {
			r.Fatalf("after CompareSwap %d the word is %x, want %x", i, got, now)
		}
	}
}

// addUp has several queue pairs of both hosts add to one word without waiting for each other.
func addUp(r *rig) {
	r.need(r.caps.Atomics, "atomics")
	const pairs, each = 6, 40
	word := r.hosts[1].region(r, 8, allRights)
	old := r.hosts[0].region(r, 8*pairs*each, verbs.LocalWrite)
	var as []*end
	for range pairs {
		a, _ := r.pair()
		as = append(as, a)
	}
	for i := range each {
		for k, a := range as {
			at := 8 * (k*each + i)
			a.post(verbs.SendWR{ID: uint64(i), Op: verbs.FetchAdd, Flags: verbs.Signaled, SGL: old.sgl(at, at+8), RemoteAddr: word.at(0),
				RKey: word.mr.RKey(), Swap: 1})
		}
	}
	seen := make([]bool, pairs*each)
	for k, a := range as {
		for i := range each {
			a.sent(uint64(i), verbs.FetchAdd)
			v := host64.Uint64(old.buf[8*(k*each+i):])
			if v >= pairs*each || seen[v] {
				r.Fatalf("the old value %d was given twice, or never was there", v)
			}
			seen[v] = true
		}
	}
	if got := host64.Uint64(word.buf); got != pairs*each {
		r.Fatalf("%d additions of 1 make %d", pairs*each, got)
	}
}

// misaligned words are refused, by PostSend or by the peer.
func misaligned(r *rig) {
	for _, off := range []int{1, 4, 7} {
		a, word, old := r.atomics()
		fill(word.buf, 1)
		n, err := a.qp.PostSend([]verbs.SendWR{a.aim(verbs.SendWR{ID: 1, Op: verbs.FetchAdd, Flags: verbs.Signaled, SGL: old.sgl(0, 8),
			RemoteAddr: word.at(off), RKey: word.mr.RKey(), Swap: 1})})
		if err != nil {
			r.wantErr("a misaligned atomic", n, err, verbs.ErrArgument)
			continue
		}
		if c := r.take(a.sends, 1)[0]; c.Status != verbs.RemoteInvalid && c.Status != verbs.RemoteAccess {
			r.Errorf("FetchAdd at offset %d: %v", off, c.Status)
		}
		word.untouched("a misaligned atomic", 1)
	}
}
