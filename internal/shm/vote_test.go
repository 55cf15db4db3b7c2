package shm

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestVotes(t *testing.T) {
	for name, c := range map[string]struct {
		denied, mute int // ranks that may not copy, and that offer no bell; -1 for none
		copy, file   bool
	}{
		"all can":       {-1, -1, true, true},
		"one cannot":    {1, -1, false, false},
		"one has none":  {-1, 2, true, false},
		"neither of it": {0, 0, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := smallGeometry(3)
			seg := openSegment(t, g)
			var links []*Link
			for i := range g.Ranks {
				links = append(links, NewLink(Config{Segment: seg, Self: i, NoCMA: i == c.denied}))
				if i != c.mute {
					links[i].OfferBell(eventFile(t))
				}
			}
			for i, l := range links {
				if _, _, known := links[0].Votes(); known {
					t.Fatalf("known after %d of %d votes", i, len(links))
				}
				l.Vote()
			}
			for i, l := range links {
				if copy, file, known := l.Votes(); copy != c.copy || file != c.file || !known {
					t.Errorf("rank %d: %v, %v, %v", i, copy, file, known)
				}
			}
		})
	}
}

// TestVotesOfMany: so many ranks need not wait for each other's votes.
func TestVotesOfMany(t *testing.T) {
	seg := openSegment(t, smallGeometry(voteMax+1))
	l := NewLink(Config{Segment: seg})
	l.Vote()
	if copy, file, known := l.Votes(); copy || file || !known {
		t.Errorf("%v, %v, %v", copy, file, known)
	}
}

// eventFile is an eventfd for the length of the test.
func eventFile(t *testing.T) int {
	t.Helper()
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}
