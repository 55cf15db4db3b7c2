// Package rules names the rules that the engine keeps, and how each is taken away, so that tests can
// show what goes wrong without it. The engine knows nothing of that: an Edit changes its source. No
// program imports this package.
package rules

import (
	"fmt"
	"strings"
)

// Edit is a place of the source at which a rule is kept, and what stands there in a build in which
// rules can be taken away: it asks without(`NAME`), where NAME is the rule.
type Edit struct {
	Rule     string
	Old, New string
}

// Apply edits the one of the files, name and text, that has the place. There, ask(`name`) tells
// whether the rule is away.
func (e Edit) Apply(text map[string]string, ask, name string) error {
	found := ""
	for file, t := range text {
		switch n := strings.Count(t, e.Old); {
		case n == 0:
		case n > 1 || found != "":
			return fmt.Errorf("%s: %q is in several places", e.Rule, e.Old)
		default:
			found = file
		}
	}
	if found == "" {
		return fmt.Errorf("%s: no file has %q any more; the rule is in another place", e.Rule, e.Old)
	}
	asks := strings.NewReplacer("without(", ask+"(", "NAME", name).Replace(e.New)
	text[found] = strings.Replace(text[found], e.Old, asks, 1)
	return nil
}

// Edits are the rules that keep messages from going astray. A rule that is kept in several places
// has several edits.
var Edits = []Edit{
	// An eager message makes the RTRs of its envelope suspect.
	{"eager-flag", "sp, hash := e.speculation(), env.Hash()", "if without(`NAME`) { return }\nsp, hash := e.speculation(), env.Hash()"},
	// Suspect RTRs are void at both ends, not only at the sender's.
	{"stop", "e.Counters.Stops++", "if without(`NAME`) { s.eager = false; break }\ne.Counters.Stops++"},
	// STOP makes receives silent whose RTRs it voids; the published rules lack this.
	{"stop-reset", "e.posted.EachOf(env, func(en *match.Entry[*Req]) {", "e.posted.EachOf(env, func(en *match.Entry[*Req]) { if without(`NAME`) { return }; "},
	// RESUME waits until no RTR from before STOP can be under way.
	{"drain", "s.race, flags = stopping, wire.StopRTR", "s.race, flags = stopping, wire.StopRTR\nif without(`NAME`) { s.race = drained }"},
	// Only the first answer to an RTS with STOP ends that stop.
	{"stale-stop", "r.pkt.Flags &^= wire.StopRTR", "if !without(`NAME`) { r.pkt.Flags &^= wire.StopRTR }"},
	// A receive leaves its queue when its RTR is taken, not when it is filled.
	{"rtr-ack", "e.act(Action{Kind: SendPacket, Packet: e.control(int(r.Peer), rtrAckFor(r))})", "if !without(`NAME`) { e.act(Action{Kind: SendPacket, Packet: e.control(int(r.Peer), rtrAckFor(r))}) }"},
	{"rtr-ack", "r.Rendezvous != wire.Speculate {\n\t\treturn false", "r.Rendezvous != wire.Speculate || without(`NAME`) {\n\t\treturn false"},
	{"rtr-ack", "case !r.state.waits():\n", "case r.state.waits() && without(`NAME`):\ne.posted.Remove(&r.Entry)\nr.Status = Status{Peer: peer, Tag: r.Tag, Len: h.Len}\ne.landed(r)\ncase !r.state.waits():\n"},
	// A send whose receive sent no RTR takes none.
	{"rts-ack", "if r.state != reading { // answered", "if r.state != reading || without(`NAME`) { // answered"},
	{"rts-ack", "e.countAck(&e.Counters.RTSAcks, wire.RTSAck)", "if without(`NAME`) { return }\ne.countAck(&e.Counters.RTSAcks, wire.RTSAck)"},
	// It learns that before the RTR of the next receive,
	{"ack-first", "e.payDebts(r.Envelope)\n", "if without(`NAME`) { defer e.payDebts(r.Envelope) } else { e.payDebts(r.Envelope) }\n"},
	// and so do all such sends of the envelope.
	{"ack-all", "e.ackRTS(en.Value)\n", "e.ackRTS(en.Value)\nif without(`NAME`) { return }\n"},
	// A send that has ended is not told: its number may be another's.
	{"ack-once", "if !r.Queued() {\n\t\treturn false", "if !r.Queued() || without(`NAME`) {\n\t\treturn false"},
	// A message that a matched probe takes counts as met.
	{"claim-ack", "m.header.Flags&wire.Speculative != 0 {\n\t\te.sayMet", "m.header.Flags&wire.Speculative != 0 && !without(`NAME`) {\n\t\te.sayMet"},
	// Behind a silent receive all receives of its envelope are silent,
	{"order", "case e.silentBefore(r.Envelope):", "case e.silentBefore(r.Envelope) && !without(`NAME`):"},
	// and behind a wildcard that could take their message.
	{"wildcard", "case e.posted.WildFits(r.Envelope):", "case e.posted.WildFits(r.Envelope) && !without(`NAME`):"},
	// An RTR that crosses an RTS belongs to that RTS.
	{"crossing", "if en := sp.offers.Take(env); en != nil {", "if without(`NAME`) {\n} else if en := sp.offers.Take(env); en != nil {"},
	// So does an RTR whose room was too small.
	{"too-small", "e.offerSpeculative(r, s, 0, false)", "e.offerSpeculative(r, s, 0, without(`NAME`))"},
	// DONE may come before its RTR_ACK.
	{"early-done", "r.state = written", "if !without(`NAME`) { r.state = written }"},
	// A receive whose RTR is out is cancelled only with the sender's consent.
	{"ask-to-cancel", "case r.state.waits() && r.grant != nil:", "case r.state.waits() && r.grant != nil && !without(`NAME`):"},
	// An RTS or SYNC that has left is taken back only with the receiver's consent.
	{"ask-back", "e.Counters.Withdraws++", "e.Counters.Withdraws++\ndefer func() { if without(`NAME`) { if r.pkt.Kind == wire.RTS { e.hideOffer(r) }; e.cancelled(r) } }()"},
	// An RTS that the receiver counts on is not kept from leaving.
	{"retract", "r.pkt.Flags&^wire.ByWrite == 0:", "r.pkt.Flags&^wire.ByWrite == 0 || without(`NAME`):"},
	// A receive ends when the prefix of its message and the rest are there, whichever is last.
	{"both-halves", "if !r.awaits {\n", "if !r.awaits || without(`NAME`) {\n"},
	// A send ends, or pushes, when the link is done with its RTS and the prefix.
	{"prefix-gone", "e.hideOffer(r)\n\tif r.state == offering {", "e.hideOffer(r)\n\tif r.state == offering && !without(`NAME`) {"},
	{"prefix-gone", "if r.state == offering {\n\t\tr.state, r.dest = called", "if r.state == offering && !without(`NAME`) {\n\t\tr.state, r.dest = called"},
}
