package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/lab"
)

var transportsExperiment = lab.Experiment{
	ID: "004.F1",
	Explain: [2]string{
		"InfiniBand has connected and datagram transports, reliable and unreliable, and not every service exists on each: remote writes and reads and atomics need a reliable one, datagrams only carry sends.",
		"This table says what the software device of this host offers behind the verbs seam. Where the document has only sends on unreliable datagrams, iWARP datagrams can also write to and read from the peer, each datagram for itself.",
	},
	Run: transports,
}

// transports shows the capabilities of this host's device as the document's table does.
func transports(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		return nil, fmt.Errorf("no software device: %w", err)
	}
	c := dev.Caps()
	if err := dev.Close(); err != nil {
		return nil, err
	}
	r := b.NewResult("004.F1")
	b.UseHost()
	t := r.AddTable("Services of the device "+c.Name, "service", "RC", "RD", "UD")
	for _, row := range services(c) {
		t.Add(row.name, yes(row.rc), yes(row.rd), yes(row.ud))
	}
	r.Hold(lab.Structural,
		lab.Holds("reliable connections carry sends, writes, reads and atomics", "all four", yes(c.RC && c.MaxReads > 0 && c.Atomics), c.RC && c.MaxReads > 0 && c.Atomics),
		lab.Holds("unreliable datagrams carry sends", "yes", yes(c.UD), c.UD),
		lab.Holds("shared receive queues with a low watermark", "yes", yes(c.SRQ), c.SRQ),
	)
	return r, nil
}

type service struct {
	name       string
	rc, rd, ud bool
}

func services(c verbs.Caps) []service {
	return []service{
		{"send and receive", c.RC, c.RD, c.UD},
		{"shared receive queue", c.RC && c.SRQ, c.RD && c.SRQ, c.UD && c.SRQ},
		{"remote write", c.RC, c.RD && c.RDReadWrite, c.UD && c.UDReadWrite},
		{"write with immediate data", c.RC && c.WriteImm, c.RD && c.WriteImm, false},
		{"remote read", c.RC && c.MaxReads > 0, c.RD && c.RDReadWrite, c.UD && c.UDReadWrite},
		{"atomics", c.RC && c.Atomics, c.RD && c.Atomics, false},
		{"write-record", false, false, c.UD && c.WriteRecord},
		{"multicast", false, false, c.UD && c.Multicast},
	}
}

func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
