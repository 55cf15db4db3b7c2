package sim

import "github.com/weft-mpi/weft/internal/model"

// Machine is the profile in the numbers by which algorithms are chosen.
func (p *Profile) Machine() model.Machine {
	us := func(names ...string) (ns float64) {
		for _, name := range names {
			ns += 1e3 * p.get(name)
		}
		return ns
	}
	perKB := func(name string) float64 { return us(name) / 1024 }
	return model.Machine{
		Step: us("poll_us"), Copy: perKB("copy_us_per_kb"), Lanes: p.get("copy_parallel"), Reduce: perKB("reduce_us_per_kb"),
		Flag: us("shared_us"), Turn: us("shared_us"),
		Near: us("shared_packet_us", "packet_us"), NearWay: us("shared_us"), NearLong: p.get("shared_eager"), Help: 1,
		Far:    us("post_us", "packet_us", "poll_us", "stream_us"),
		FarWay: us("dma_us", "tx_us", "rx_us", "cqe_us", "interrupt_us", "srq_us") + us("hop_us")*p.get("hops"),
		FarGap: us("engine_us"), Byte: 1e3 / min(p.get("dma_mb_s"), p.get("wire_mb_s")), Both: 1e3 / p.get("bus_mb_s"),
		Touch: perKB("stream_us_per_kb"), FarLong: 64 << 10,
	}
}
