package engine

import (
	"bytes"
	"fmt"
)

// leftovers tells what is still in an engine after everything should have ended; "" if nothing is.
func (w *world) leftovers() string {
	var b bytes.Buffer
	for p, q := range w.wires {
		if len(q) > 0 {
			fmt.Fprintf(&b, "%d packets from %d to %d; ", len(q), p.from, p.to)
		}
	}
	for i, n := range w.ranks {
		if len(n.exposed) > 0 || len(n.reads) > 0 {
			fmt.Fprintf(&b, "rank %d: %d exposed, %d reads; ", i, len(n.exposed), len(n.reads))
		}
		if used := len(n.eng.ids) - len(n.eng.freeIDs); used != 0 {
			fmt.Fprintf(&b, "rank %d: %d named requests; ", i, used)
		}
		for peer, p := range n.eng.paces {
			if p.under != 0 {
				fmt.Fprintf(&b, "rank %d: %d bytes under way to %d; ", i, p.under, peer)
			}
		}
		if n.eng.Counters.BadPackets > 0 {
			fmt.Fprintf(&b, "rank %d: %d bad packets; ", i, n.eng.Counters.BadPackets)
		}
	}
	return b.String()
}
