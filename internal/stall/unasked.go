package stall

import (
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
)

// lyingShown is how many messages of a rank are told of.
const lyingShown = 3

// unasked tells of messages that have come and that nobody asks for, beside what their ranks ask for
// instead. Ranks with the same to tell share a line.
func unasked(ranks []Rank) (lines []string) {
	type left struct{ what, instead string }
	var alike groups[left] // whoever the senders are
	for i, r := range ranks {
		if len(r.Waits) > 0 && len(r.Waits[0].Lying) > 0 {
			alike.add(left{lying(r.Waits[0], false), insteadOf(r.Waits[0])}, i)
		}
	}
	for _, key := range alike.order {
		who, what := alike.of[key], key.what
		if len(who) == 1 {
			what = lying(ranks[who[0]].Waits[0], true)
		}
		line := fmt.Sprintf("  %s %s %s", RankList(who), verb(len(who), "has", "each have"), what)
		if key.instead != "" {
			line += fmt.Sprintf("; %s %s", verb(len(who), fmt.Sprintf("rank %d waits", who[0]), "they wait"), key.instead)
		}
		lines = append(lines, line)
	}
	return lines
}

// lying says what lies at a rank: a message from rank 1 with tag 7, 40 bytes, that nobody asks for.
func lying(w pmi.Stall, senders bool) string {
	var each []string
	for _, m := range w.Lying[:min(len(w.Lying), lyingShown)] {
		text := ""
		if senders {
			text = fmt.Sprintf("from rank %d ", m.Peer)
		}
		text += fmt.Sprintf("with tag %d, %d bytes", m.Tag, m.Bytes)
		if m.Away {
			text += ", on another communicator"
		}
		each = append(each, text)
	}
	if n := len(w.Lying) + w.More; n > 1 {
		more := ""
		if n > len(each) {
			more = "; ..."
		}
		return fmt.Sprintf("%d messages that nobody asks for (%s%s)", n, strings.Join(each, "; "), more)
	}
	return "a message " + each[0] + ", that nobody asks for"
}

// insteadOf says what a rank asks for, if it receives.
func insteadOf(w pmi.Stall) string {
	if w.Seq != pmi.NoSeq || !strings.Contains(w.Op, "recv") && !strings.Contains(w.Op, "probe") {
		return ""
	}
	m := w.Lying[0]
	var text string
	if w.Peer >= 0 && w.Peer != m.Peer {
		text = fmt.Sprintf(" from rank %d", w.Peer)
	}
	switch {
	case w.Tag >= 0 && text == "":
		return fmt.Sprintf("for tag %d", w.Tag)
	case w.Tag >= 0:
		return fmt.Sprintf("for a message%s with tag %d", text, w.Tag)
	case text != "":
		return "for a message" + text
	}
	return ""
}
