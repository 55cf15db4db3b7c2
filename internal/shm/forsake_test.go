package shm

import (
	"bytes"
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

var errKilled = errors.New("killed")

// TestForsake: of a peer that dies, what it had sent is delivered, and nothing else: the message that was cut off, and
// the read that it no longer helps with, are dropped. Others are served as ever.
func TestForsake(t *testing.T) {
	for _, members := range [][]int{nil, {4, 7, 9}} {
		links := newLinks(t, smallGeometry(3), Config{Members: members})
		name := func(i int) int {
			if members == nil {
				return i
			}
			return members[i]
		}
		var got mailbag
		for tag := range 5 {
			if !links[1].Send(eager(name(0), tag, wire.Eager, fill(100*tag, tag))) {
				t.Fatal("no room")
			}
		}
		cut := eager(name(0), 9, wire.Eager, fill(60<<10, 9))
		for links[0].Poll(&got); !links[1].Send(cut) && cut.Sent < 20<<10; {
			links[0].Poll(&got)
		}
		src := fill(1<<20, 3)
		key := links[1].Expose(name(0), src, false)
		if !links[0].Read(name(1), key, make([]byte, len(src)), "read") {
			t.Fatal("cannot read")
		}
		links[0].Forsake(name(1), errKilled)
		for range 3 {
			if !links[0].Ready() && got.lost == nil {
				t.Fatal("Ready does not say that somebody has died")
			}
			links[0].Poll(&got)
		}
		if got.lost[name(1)] != errKilled || len(got.lost) != 1 {
			t.Fatalf("lost: %v", got.lost)
		}
		if len(got.reads) > 0 || links[0].pulls != nil {
			t.Error("a read of a dead peer's memory has ended, or goes on")
		}
		if len(got.got) != 6 || got.got[5].ended {
			t.Fatalf("%d messages have come", len(got.got))
		}
		for tag, m := range got.got[:5] {
			if m.peer != name(1) || int(m.header.Tag) != tag || !bytes.Equal(m.payload, fill(100*tag, tag)) {
				t.Errorf("message %d: %+v", tag, m.header)
			}
		}
		links[1].Send(eager(name(0), 10, wire.Eager, nil)) // the dead do not come back
		links[2].Send(eager(name(0), 11, wire.Eager, nil))
		drain(links[0], &got)
		if len(got.got) != 7 || got.got[6].peer != name(2) || links[0].Ready() {
			t.Errorf("%d messages have come after a death", len(got.got))
		}
	}
}

// TestForsakeStranger: a peer may die before it has said anything.
func TestForsakeStranger(t *testing.T) {
	links := newLinks(t, smallGeometry(3), Config{})
	var got mailbag
	links[0].Forsake(1, errKilled)
	links[0].Forsake(2, errKilled)
	drain(links[0], &got)
	for range 3 {
		links[0].Poll(&got)
	}
	if len(got.lost) != 2 || links[0].Ready() || len(links[0].ins) != 0 || len(links[0].deaths) != 0 {
		t.Errorf("lost %v, %d inboxes", got.lost, len(links[0].ins))
	}
}
