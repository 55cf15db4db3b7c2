package plan

import (
	"fmt"
	"strings"
)

// String returns the plan for people: a head line, then one line per step,
// such as
//
//	3: recv from 2 -> out[64:128] after 1,2
func (p *Plan) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s: rank %d of %d, %d steps, scratch %d bytes",
		p.Name, p.Rank, p.Ranks, len(p.Steps), p.TmpLen)
	switch {
	case p.Slips:
		fmt.Fprintf(&w, ", shares %d slips and %d flags on node %d", p.NodeLen/SlipLen, p.Flags, p.Group)
	case p.Shares():
		fmt.Fprintf(&w, ", shares %d bytes and %d flags on node %d", p.NodeLen, p.Flags, p.Group)
	}
	if p.ByArrival {
		w.WriteString(", by arrival")
	}
	w.WriteByte('\n')
	for i := range p.Steps {
		fmt.Fprintf(&w, "%d: %s", i, p.Steps[i])
		for k, d := range p.Deps(i) {
			if k == 0 {
				w.WriteString(" after ")
			} else {
				w.WriteByte(',')
			}
			fmt.Fprint(&w, d)
		}
		w.WriteByte('\n')
	}
	return w.String()
}

// String returns what the step does, without number and dependencies.
func (s Step) String() string {
	switch s.Kind {
	case Send:
		text := fmt.Sprintf("send to %d <- %s", s.Peer, s.Src) + s.manner()
		if s.Rail > 0 {
			text += fmt.Sprintf(" on rail %d", s.Rail-1)
		}
		return text
	case Recv:
		return fmt.Sprintf("recv from %d -> %s", s.Peer, s.Dst) + s.manner()
	case Set:
		return fmt.Sprintf("set flag %d", s.Flag)
	case Await:
		return fmt.Sprintf("await flag %d of %d", s.Flag, s.Peer)
	case Lend:
		return fmt.Sprintf("lend %s by %s", s.Src, s.Dst)
	case Fetch:
		return fmt.Sprintf("fetch %s[%d:%d] of %d -> %s", s.Src, s.At, s.At+s.Dst.Len, s.Peer, s.Dst)
	case Copy:
		return fmt.Sprintf("copy %s -> %s", s.Src, s.Dst)
	case Reduce:
		if s.SrcFirst {
			return fmt.Sprintf("reduce %s = %s ∘ %s", s.Dst, s.Src, s.Dst)
		}
		return fmt.Sprintf("reduce %s = %s ∘ %s", s.Dst, s.Dst, s.Src)
	case Verify:
		return fmt.Sprintf("verify %s against %s", s.Dst, s.Src)
	}
	return s.Kind.String()
}

// manner returns how a message travels, if that is anything special.
func (s Step) manner() string {
	if s.Way == Auto {
		return ""
	}
	return " (" + s.Way.String() + ")"
}
