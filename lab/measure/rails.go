package measure

import "github.com/weft-mpi/weft/internal/verbs"

// Traffic is a pattern of messages between two processes.
type Traffic string

// The patterns: a stream that the receiver acknowledges at its end, a message there and one back, and streams in both
// directions at a time.
const (
	Uni  Traffic = "one way"
	Bi   Traffic = "alternating"
	Both Traffic = "both ways"
)

// Traffics lists the patterns.
func Traffics() []Traffic { return []Traffic{Uni, Bi, Both} }

// Striped returns the MB/s of remote writes of that many bytes, each cut evenly over so many connections.
// Both sides call it; the leading side's value counts.
func Striped(w *Wires, t Traffic, size, connections, messages int) (float64, error) {
	piece := max(size/connections, 1)
	switch t {
	case Bi:
		half, err := WriteLatency(w, piece, connections, Loops{Warmup: 2, Timed: 8})
		return float64(piece*connections) / (half * float64(connections)), err
	case Both:
		return WriteBandwidth(w, piece, connections, Window, messages*connections)
	}
	return w.oneWay(piece, connections, messages*connections)
}

// oneWay streams from the leading side and waits for an answer.
func (w *Wires) oneWay(size, connections, writes int) (float64, error) {
	if err := w.round(1, 1); err != nil { // both are there
		return 0, err
	}
	w.turn = w.turn%255 + 1
	start := w.Clock.Now()
	if !w.Lead {
		w.awaitAll(size, connections)
		if err := w.write(0, 1, true); err != nil {
			return 0, err
		}
		return 0, w.drain()
	}
	for i := range writes {
		for w.open >= Window {
			if err := w.reap(true); err != nil {
				return 0, err
			}
		}
		if err := w.post(i%connections, 0, size); err != nil {
			return 0, err
		}
	}
	for c := range connections { // connections keep order: who sees the mark has everything
		w.Out.Bytes()[c*w.Slot] = w.turn
		if err := w.post(c, size-1, 1); err != nil {
			return 0, err
		}
	}
	w.await(0, 1)
	return float64(size*writes) * 1e3 / float64(w.Clock.Now()-start), w.drain()
}

// post writes the first bytes of a connection's slot into the partner's, at an offset.
func (w *Wires) post(c, to, size int) error {
	at := c * w.Slot
	wr := verbs.SendWR{Op: verbs.Write, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: w.Out.Bytes()[at : at+size], LKey: w.Out.LKey()}},
		RemoteAddr: w.Addr + uint64(at+to), RKey: w.Key}
	w.open++
	_, err := w.QPs[c].PostSend([]verbs.SendWR{wr})
	return err
}

// Moved returns the MB/s of messages of MPI between two ranks.
func Moved(k *Rank, t Traffic, size int, l Loops) (float64, error) {
	switch t {
	case Bi:
		half, err := PingPong(k, size, l)
		return float64(size) / half, err
	case Both:
		return BothWays(k, size, railWindow, l)
	}
	return OneWay(k, size, railWindow, l)
}

// railWindow is how many messages are in flight.
const railWindow = 16
