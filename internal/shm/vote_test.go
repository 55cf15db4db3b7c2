package shm

import "testing"

func TestVotes(t *testing.T) {
	for name, c := range map[string]struct {
		denied int // rank that may not, -1 for none
		want   bool
	}{"all can": {-1, true}, "one cannot": {1, false}} {
		t.Run(name, func(t *testing.T) {
			g := smallGeometry(3)
			seg := openSegment(t, g)
			var links []*Link
			for i := range g.Ranks {
				links = append(links, NewLink(Config{Segment: seg, Self: i, NoCMA: i == c.denied}))
			}
			for i, l := range links {
				if _, known := links[0].Votes(); known {
					t.Fatalf("known after %d of %d votes", i, len(links))
				}
				l.Vote()
			}
			for i, l := range links {
				if all, known := l.Votes(); all != c.want || !known {
					t.Errorf("rank %d: %v, %v", i, all, known)
				}
			}
		})
	}
}
