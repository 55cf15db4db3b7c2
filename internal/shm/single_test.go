package shm

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/wire"
	"pgregory.net/rapid"
)

// fetch moves n bytes from rank 0 to rank 1 by one copy; both sides poll in turn.
func fetch(links []*Link, src, dst []byte) error {
	k := links[0].Expose(1, src, false)
	bag := new(mailbag)
	if !links[1].Read(0, k, dst, "token") {
		return fmt.Errorf("rank 1 cannot read from rank 0")
	}
	for range 100_000 {
		links[0].Poll(bag)
		links[1].Poll(bag)
		if err, done := bag.reads["token"]; done {
			links[0].Hide(1, k)
			return err
		}
	}
	return fmt.Errorf("the read of %d bytes does not end", len(dst))
}

// TestSingleCopy moves messages of many lengths by one copy, with and without the sender's help, from the
// heap and from the arena.
func TestSingleCopy(t *testing.T) {
	sizes := append(around(1, pageSize, 2*pageSize, 512<<10, 1<<20), 3<<20+5)
	for _, help := range []bool{false, true} {
		for _, arena := range []bool{false, true} {
			links := newLinks(t, Geometry{Ranks: 2, Cells: 8, Small: 4 * smallMax, Bulk: 16 << 10, Arena: 8 << 20}, Config{Help: help})
			for _, n := range sizes {
				if n == 0 {
					continue
				}
				src := fill(n, n)
				if arena {
					b, err := links[0].Alloc(n)
					if err != nil {
						t.Fatal(err)
					}
					copy(b, src)
					src = b
				}
				dst := make([]byte, n)
				if err := fetch(links, src, dst); err != nil || !bytes.Equal(src, dst) {
					t.Fatalf("%d bytes, help %v, arena %v: %v, equal %v", n, help, arena, err, bytes.Equal(src, dst))
				}
				if arena {
					if err := links[0].Free(src); err != nil {
						t.Fatal(err)
					}
				}
			}
			if help != (links[0].Counters.Helped > 0) || links[1].Counters.Pulled == 0 || arena != (links[1].Counters.Mapped > 0) {
				t.Errorf("help %v, arena %v: counters %+v and %+v", help, arena, links[0].Counters, links[1].Counters)
			}
		}
	}
}

// TestNoHelpInExchange: a sender to whom something has come does not help before that is dealt with. It may
// be the peer's own offer, and both are to copy at the same time.
func TestNoHelpInExchange(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{Help: true})
	if !links[1].Read(0, links[0].Expose(1, make([]byte, 10), false), make([]byte, 10), "token") {
		t.Fatal("rank 1 cannot read from rank 0")
	}
	links[1].Send(&wire.Packet{Header: wire.Header{Kind: wire.RTS, Len: 10}})
	for _, helped := range []uint64{0, 1} {
		if links[0].Poll(new(mailbag)); links[0].Counters.Helped != helped {
			t.Errorf("%d chunks moved for the receiver, want %d", links[0].Counters.Helped, helped)
		}
	}
}

// TestSlotsRunOut: more offers than slots still move, without help for the rest, and slots come back.
func TestSlotsRunOut(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{Help: true})
	var keys []wire.Key
	for i := range slots + 5 {
		keys = append(keys, links[0].Expose(1, fill(100, i), false))
	}
	without := 0
	for i, k := range keys {
		if k.Slot == 0 {
			without++
		}
		dst, bag := make([]byte, 100), new(mailbag)
		if !links[1].Read(0, k, dst, i) {
			t.Fatal("cannot read")
		}
		for len(bag.reads) == 0 {
			links[1].Poll(bag)
		}
		if !bytes.Equal(dst, fill(100, i)) {
			t.Fatalf("offer %d: payload differs", i)
		}
	}
	if without != 5 {
		t.Errorf("%d offers went without a slot, want 5", without)
	}
	for _, k := range keys {
		links[0].Hide(1, k)
	}
	if len(links[0].freeID) != slots || links[0].offers != nil {
		t.Errorf("%d of %d slots came back", len(links[0].freeID), slots)
	}
}

// TestOffersComeAndGo checks the list of offers against random order of Expose and Hide.
func TestOffersComeAndGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		links := newLinks(t, smallGeometry(2), Config{Help: true})
		var keys []wire.Key
		for range rapid.IntRange(1, 50).Draw(t, "events") {
			if len(keys) == 0 || rapid.Bool().Draw(t, "expose") {
				keys = append(keys, links[0].Expose(1, make([]byte, 10), false))
				continue
			}
			i := rapid.IntRange(0, len(keys)-1).Draw(t, "which")
			links[0].Hide(1, keys[i])
			keys = append(keys[:i], keys[i+1:]...)
			n := 0
			for o := links[0].offers; o != nil; o = o.next {
				n++
			}
			if n != len(keys) {
				t.Fatalf("%d offers in the list, want %d", n, len(keys))
			}
		}
		for _, k := range keys {
			links[0].Hide(1, k)
		}
		if len(links[0].freeID) != slots {
			t.Fatalf("%d free slots, want %d", len(links[0].freeID), slots)
		}
	})
}

// TestDenied: a link that may not read says so, and sends more through the rings.
func TestDenied(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{NoCMA: true})
	if links[1].Read(0, links[0].Expose(1, make([]byte, 100), false), make([]byte, 100), 1) {
		t.Error("read although it is switched off")
	}
	if got := links[0].EagerMax(1); got != ringEagerMax {
		t.Errorf("eager limit %d without single copy, want %d", got, ringEagerMax)
	}
	b, err := links[0].Alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	copy(b, "from the arena")
	dst := make([]byte, 14)
	if err := fetch(links, b[:14], dst); err != nil || string(dst) != "from the arena" {
		t.Errorf("memory of the arena needs no permission: %q, %v", dst, err)
	}
}

// TestEagerMax: the limit follows from what the kernel lets us do and whether the sender helps.
func TestEagerMax(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want int
	}{{Config{}, aloneEagerMax}, {Config{Help: true}, helpEagerMax}, {Config{EagerMax: 5000}, 5000}, {Config{NoCMA: true}, ringEagerMax}} {
		if got := newLinks(t, smallGeometry(2), c.cfg)[0].EagerMax(1); got != c.want {
			t.Errorf("%+v: %d, want %d", c.cfg, got, c.want)
		}
	}
}

// TestLyingIdentity: a peer whose number does not lie where it says is not trusted.
func TestLyingIdentity(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	*links[0].seg.nonce(0) ^= 2
	if links[1].trusts(0) {
		t.Error("trusted a peer whose memory holds another number")
	}
	if links[0].trusts(1) != true {
		t.Error("an honest peer is not trusted")
	}
}

// TestReadFails: memory that cannot be read ends the read with an error, and the peer is asked to push next time.
func TestReadFails(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	bag := new(mailbag)
	if !links[1].Read(0, wire.Key{Addr: 4096}, make([]byte, 100), "bad") {
		t.Fatal("not even tried")
	}
	for len(bag.reads) == 0 {
		links[1].Poll(bag)
	}
	if bag.reads["bad"] == nil {
		t.Error("a read of unmapped memory succeeded")
	}
	if links[1].Read(0, wire.Key{Addr: 4096}, make([]byte, 100), "again") {
		t.Error("tried again after a failure")
	}
	if links[1].Read(0, wire.Key{Addr: mapped | 1<<40}, make([]byte, 100), "outside") {
		t.Error("read outside the arena")
	}
}

// TestPagesAreTold: of long memory that is offered, fetched or read into, or stored from, the keeper of
// huge pages is told; of short memory and of the arena's it is not.
func TestPagesAreTold(t *testing.T) {
	const long = 1 << 20
	told := new(pages.Huge)
	links := newLinks(t, GeometryFor(2, 4<<20, 0), Config{Pages: told})
	if !links[1].Copies(0) {
		t.Skip("the kernel forbids to read another process's memory")
	}
	uses := 0
	expect := func(what string, more int) {
		t.Helper()
		uses += more
		if got := told.Counters().Uses; got != uses {
			t.Errorf("%s: told of %d uses, want %d", what, got, uses)
			uses = got
		}
	}
	arena, err := links[0].Alloc(long)
	if err != nil {
		t.Fatal(err)
	}
	src, dst := fill(long, 1), make([]byte, long)
	inArena := links[0].Expose(1, arena, false)
	expect("an offer of the arena", 0)
	k := links[0].Expose(1, src, false)
	expect("an offer", 1)
	if err := links[1].Fetch(0, k, dst); err != nil || !bytes.Equal(src, dst) {
		t.Fatalf("fetched: %v", err)
	}
	expect("a fetch", 1)
	if err := links[1].Store(0, k, dst); err != nil {
		t.Fatal(err)
	}
	expect("a store", 1)
	if err := links[1].Fetch(0, k, dst[:pageSize]); err != nil {
		t.Fatal(err)
	}
	expect("a short fetch", 0)
	for _, key := range []wire.Key{k, inArena} {
		bag := new(mailbag)
		if !links[1].Read(0, key, dst, "long") {
			t.Fatal("cannot read")
		}
		for len(bag.reads) == 0 {
			links[1].Poll(bag)
		}
		expect("a read", 1)
	}
}
