package mpi_test

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// BenchmarkVirtualMessages measures how many messages a second of the host simulates.
func BenchmarkVirtualMessages(b *testing.B) {
	for _, ranks := range []int{2, 16, 256} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			j := &cluster{profile: "connectx-ddr", nodes: ranks, ranks: ranks}
			err := j.run(b, func(c *mpi.Comm) error {
				msg := make([]byte, 8)
				right, left := (c.Rank()+1)%ranks, (c.Rank()+ranks-1)%ranks
				for range b.N/ranks + 1 {
					if _, err := mpi.Sendrecv(c, msg, right, 0, msg, left, 0); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}
