package soft

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// BenchmarkMarkers is the processor time of a message over a connection, both ends in one goroutine: with markers in
// the stream, without them, and without CRCs. On an interface of 1500 bytes, as most are, an FPDU is that short:
// `unshare -rn sh -c 'ip link set lo up mtu 1500; go test -bench Markers ./internal/verbs/soft'`.
func BenchmarkMarkers(b *testing.B) {
	for _, way := range []struct {
		name string
		cfg  Config
	}{{"markers", Config{Markers: true}}, {"CRC", Config{}}, {"plain", Config{NoCRC: true}}} {
		for _, size := range []int{64, 8 << 10, 64 << 10} {
			b.Run(fmt.Sprintf("%s/%d", way.name, size), func(b *testing.B) {
				x, y := connected(b, way.cfg, size)
				send := []verbs.SendWR{{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:size], LKey: x.mr.LKey()}}, Flags: verbs.Signaled}}
				recv := []verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[:size], LKey: y.mr.LKey()}}}}
				var out [4]verbs.Completion
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					y.qp.PostRecv(recv)
					x.qp.PostSend(send)
					for sent, got := 0, 0; sent+got < 2; {
						sent, got = sent+x.cq.Poll(out[:]), got+y.cq.Poll(out[:])
					}
				}
			})
		}
	}
}
