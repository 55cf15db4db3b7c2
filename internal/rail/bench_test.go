package rail

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// counter is a Sink that only counts.
type counter struct{ n int }

func (c *counter) Arrive(int, *wire.Header, []byte)      { c.n++ }
func (c *counter) Begin(int, *wire.Header) ([]byte, any) { return nil, nil }
func (c *counter) End(any)                               { c.n++ }
func (c *counter) ReadDone(any, error)                   { c.n++ }
func (c *counter) WriteDone(any, error)                  {}
func (c *counter) Place(int, *wire.Header) ([]byte, any) { return nil, nil }
func (c *counter) Lost(int, error)                       {}

// BenchmarkRoundTrip is the work that both ranks do for a message and its answer, system calls included, without
// anybody waiting for anybody: one goroutine plays both.
func BenchmarkRoundTrip(b *testing.B) {
	for _, c := range []Channel{SRQ, SR, ArdmaSRQ, UD, RD} {
		b.Run(c.String(), func(b *testing.B) {
			r := newRig(b, 2, func(_ int, cfg *Config) { cfg.Channel = c })
			data := make([]byte, 64)
			boxes := [2]counter{}
			packets := [2]*wire.Packet{}
			for i := range packets {
				packets[i] = &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Len: len(data)}, Peer: 1 - i, Data: data}
			}
			trip := func() {
				for from := range 2 {
					to := 1 - from
					for packets[from].Sent = 0; !r.links[from].Send(packets[from]); {
						r.links[0].Poll(&boxes[0])
						r.links[1].Poll(&boxes[1])
					}
					for before := boxes[to].n; boxes[to].n == before; {
						r.links[to].Poll(&boxes[to])
					}
				}
			}
			for range 100 {
				trip()
			}
			b.ReportAllocs()
			for b.Loop() {
				trip()
			}
		})
	}
}
