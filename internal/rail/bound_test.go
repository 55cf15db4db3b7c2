package rail

import (
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// Of two interfaces that carry datagrams of different lengths the shorter one decides, in both
// directions: for messages, and for the answers to reads by a rank that the other one has never
// heard of.
func TestUnequalDatagrams(t *testing.T) {
	sizes := []int{1472, 700, 1372}
	for _, c := range []Channel{UD, RD, Hybrid} {
		t.Run(c.String(), func(t *testing.T) {
			r := newRigOn(t, len(sizes), func(rank int) soft.Config { return soft.Config{Datagram: sizes[rank], KeyedDatagrams: true} },
				func(_ int, cfg *Config) { cfg.Channel, cfg.Promote = c, 1000 })
			var longest [3]atomic.Int64
			at := map[netip.AddrPort]int{}
			for i, l := range r.links {
				at[l.dgramQP.Addr()] = i
			}
			for i, d := range r.devs {
				d.Tap(func(g verbs.Datagram) verbs.Fate {
					to := at[g.To]
					longest[to].Store(max(longest[to].Load(), int64(g.Size)))
					if g.Size > min(sizes[i], sizes[to]) {
						t.Errorf("rank %d sends %d bytes to %d", i, g.Size, to)
					}
					return verbs.Fate{}
				})
			}
			if c == RD {
				r.read(1, 0, 50_000, 1) // the first thing that rank 0 hears of rank 1
			}
			for i, n := range []int{10, 640, 700, 1300, 1400, 20_000} {
				for from := range sizes {
					for to := range sizes {
						if from != to {
							r.send(from, to, i, pattern(n, i))
						}
					}
				}
			}
			r.until("arrival", func() bool {
				for _, b := range r.boxes {
					if len(b.got) < 2*6 || b.got[len(b.got)-1].open {
						return false
					}
				}
				return true
			})
			for peer, size := range sizes {
				if n := longest[peer].Load(); n < int64(size)-slack && peer != 0 { // to whom both others send less
					t.Errorf("rank %d was sent %d bytes at most, and could take %d", peer, n, size)
				}
			}
		})
	}
}

// slack is how much shorter than necessary datagrams may be: segments leave room for headers that
// not all have.
const slack = 80
