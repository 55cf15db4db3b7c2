package rail

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// duplex has rank 0 write to rank 1 and read from it at a time, and checks both; between is called when
// both are posted.
func (r *rig) duplex(n, seed int, between func()) {
	r.t.Helper()
	out, in := pattern(n, seed), pattern(n, seed+1)
	there, here := make([]byte, n), make([]byte, n)
	to, from := r.links[1].Expose(0, there, true), r.links[1].Expose(0, in, false)
	w, d := fmt.Sprintf("write %d", seed), fmt.Sprintf("read %d", seed)
	r.links[0].Write(1, to, out, &wire.Packet{Header: wire.Header{Kind: wire.FIN}, Peer: 1}, w)
	if !r.links[0].Read(1, from, here, d) {
		r.t.Fatal("cannot read")
	}
	between()
	r.until("write and read", func() bool {
		_, wrote := r.boxes[0].writes[w]
		_, read := r.boxes[0].reads[d]
		return wrote && read
	})
	if !bytes.Equal(out, there) || !bytes.Equal(in, here) {
		r.t.Fatalf("seed %d: written right %v, read right %v", seed, bytes.Equal(out, there), bytes.Equal(in, here))
	}
	r.links[1].Hide(0, to)
	r.links[1].Hide(0, from)
}

// lanesOf is by which lanes parts of reads and of writes to a peer are under way.
func (l *Link) lanesOf(peer int) (reads, writes map[class]int) {
	reads, writes = map[class]int{}, map[class]int{}
	for _, ln := range l.peers.at(peer).lanes {
		for _, a := range openParts(ln) {
			if a.t.write {
				writes[ln.class]++
			} else {
				reads[ln.class]++
			}
		}
	}
	return reads, writes
}

func openParts(ln *lane) []*part {
	if ln == nil {
		return nil
	}
	return ln.open
}

// A read that meets a write gets a lane of its own, and from then on neither is ever behind the other,
// whoever starts them; nor do bytes of one direction leave by both lanes.
func TestReadsBesideWrites(t *testing.T) {
	r := newRig(t, 2, nil)
	r.duplex(4<<20, 1, func() {})
	r.until("second lane", func() bool { return r.links[0].Counters.BackLanes == 1 && r.links[1].Counters.BackLanes == 1 })
	r.duplex(4<<20, 3, func() {
		reads, writes := r.links[0].lanesOf(1)
		if len(reads) != 1 || reads[back] == 0 || len(writes) != 1 || writes[bulk] == 0 {
			t.Errorf("bytes to the lower rank are on %v, those to the higher on %v", reads, writes)
		}
	})
	src, dst := pattern(1<<20, 5), make([]byte, 1<<20) // the higher rank reads: these bytes go the other way
	k := r.links[0].Expose(1, src, false)
	r.links[1].Read(0, k, dst, "higher")
	if reads, _ := r.links[1].lanesOf(0); len(reads) != 1 || reads[bulk] == 0 {
		t.Errorf("what the higher rank reads is on %v", reads)
	}
	r.until("read", func() bool { _, done := r.boxes[1].reads["higher"]; return done })
}

// Long messages that do not meet share a lane, whichever way they go.
func TestOneLaneWillDo(t *testing.T) {
	r := newRig(t, 2, nil)
	for i := range 4 {
		r.read(i%2, 1-i%2, 1<<20, i)
		r.write(i%2, 1-i%2, 1<<20, i)
	}
	for i, l := range r.links {
		if l.Counters.BackLanes != 0 || l.Counters.Lanes > 2 {
			t.Errorf("rank %d: %+v", i, l.Counters)
		}
	}
}

// Two ranks that read from each other know of each other's reads by what they have exposed.
func TestReadsThatCross(t *testing.T) {
	r := newRig(t, 2, nil)
	r.read(0, 1, 1000, 1) // the first lane
	var dst [2][]byte
	var src [2][]byte
	var keys [2]wire.Key
	for i := range 2 {
		src[i], dst[i] = pattern(1<<20, i), make([]byte, 1<<20)
		keys[i] = r.links[i].Expose(1-i, src[i], false)
	}
	for i := range 2 {
		r.links[i].Read(1-i, keys[1-i], dst[i], "crossing")
	}
	r.until("reads", func() bool {
		_, a := r.boxes[0].reads["crossing"]
		_, b := r.boxes[1].reads["crossing"]
		return a && b
	})
	if !bytes.Equal(dst[0], src[1]) || !bytes.Equal(dst[1], src[0]) {
		t.Error("what was read is wrong")
	}
	r.until("second lane", func() bool { return r.links[0].Counters.BackLanes == 1 && r.links[1].Counters.BackLanes == 1 })
}

// longerThanBuffers is more than the buffers of a connection hold: a write of it has not left when it has been posted.
const longerThanBuffers = 48 << 20

// Either lane of a path carries everything when the other is gone, until there are two again.
func TestEitherLaneIsEnough(t *testing.T) {
	for _, c := range []class{bulk, back} {
		t.Run(c.String(), func(t *testing.T) {
			r := newRig(t, 2, nil)
			meet(r) // writes that are lost are talked about by express
			r.duplex(1<<20, 1, func() {})
			p := r.links[0].peers.at(1)
			both := func() bool { return p.standing(bulk, 0) != nil && p.standing(back, 0) != nil }
			r.until("second lane", both)
			seed := 10
			for try := 0; r.links[0].Counters.Moved == 0; try++ { // all may be there before the lane breaks, if others have the processor
				if try == 20 {
					t.Fatal("no part ever had to move: the test shows nothing")
				}
				start := r.stopRail(1, 0)
				again := r.stopRail(0, 0)
				r.duplex(longerThanBuffers, 3, func() { p.standing(c, 0).failed(errBroken) })
				r.read(0, 1, 1<<20, 5)
				r.write(0, 1, 1<<20, 6)
				if p.standing(c, 0) != nil {
					t.Fatal("the lane stands: the test shows nothing")
				}
				start()
				again()
				for end := seed + 2000; !both(); seed += 2 {
					if seed == end {
						t.Fatal("the lane does not come back")
					}
					r.duplex(1<<20, seed, func() {})
				}
			}
		})
	}
}
