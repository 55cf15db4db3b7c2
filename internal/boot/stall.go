package boot

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
)

// tellStall reports waits to the launcher, or to standard error if it is not ours.
func tellStall(p place, client *pmi.Client) func([]progress.Stalled) {
	if p.starter != byWeft {
		return printStall(p.rank)
	}
	return func(all []progress.Stalled) {
		for _, s := range all {
			_ = client.Stall(stallOf(p.rank, s)) // who does not hear it knows less
		}
	}
}

// stallOf is a wait in the words of reports.
func stallOf(rank int, s progress.Stalled) pmi.Stall {
	w := pmi.Stall{
		Rank: rank, Op: s.Op, Comm: s.Home.Name(), Seq: s.Seq, Peer: peerOf(s.Wait), Tag: s.Tag,
		Bytes: int64(s.Bytes), Seconds: time.Duration(s.For).Seconds(), Site: s.Site + holding(s), Members: s.Home.Members(),
	}
	for _, m := range s.Unasked[:min(len(s.Unasked), pmi.LyingMax)] {
		w.Lying = append(w.Lying, pmi.Lying{Peer: m.Peer, Tag: int(m.Tag), Bytes: int64(m.Len), Away: m.Away})
	}
	w.More = len(s.Unasked) - len(w.Lying)
	return w
}

func peerOf(w progress.Wait) int {
	switch w.Peer {
	case comm.AnySource:
		return pmi.AnyPeer
	case comm.None:
		return pmi.NoPeer
	}
	return w.Peer
}

// printStall reports the waits of one rank to standard error.
func printStall(rank int) func([]progress.Stalled) {
	return func(all []progress.Stalled) {
		var b strings.Builder
		for _, s := range all {
			fmt.Fprintf(&b, "weft: rank %d has been waiting %v in %s", rank, time.Duration(s.For).Round(time.Second), describe(s.Wait))
			if s.Site != "" {
				fmt.Fprintf(&b, " at %s", s.Site)
			}
			b.WriteString(holding(s))
			b.WriteByte('\n')
		}
		os.Stderr.WriteString(b.String())
	}
}

// holding says in words that senders wait because too much has come that nobody receives.
func holding(s progress.Stalled) string {
	if len(s.Holding) == 0 {
		return ""
	}
	return fmt.Sprintf("; %d MB of messages lie here that no receive asks for, and %s %s must wait until they are received (WEFT_UNEXPECTED)",
		s.Unreceived>>20, map[bool]string{false: "ranks", true: "rank"}[len(s.Holding) == 1], pmi.FormatRanks(slices.Sorted(slices.Values(s.Holding))))
}

// describe says in words what a wait is for.
func describe(w progress.Wait) string {
	if w.Seq >= 0 {
		return fmt.Sprintf("%s (collective %d on %s)", w.Op, w.Seq, w.Home.Name())
	}
	t := fmt.Sprintf("%s on %s", w.Op, w.Home.Name())
	switch w.Peer {
	case comm.None:
		return t
	case comm.AnySource:
		t += " with any rank"
	default:
		t += fmt.Sprintf(" with process %d", w.Peer)
	}
	if w.Tag == comm.AnyTag {
		return t + ", any tag"
	}
	return t + fmt.Sprintf(", tag %d", w.Tag)
}
