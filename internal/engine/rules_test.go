package engine

// rule names one of the rules that the engine keeps. Its source knows nothing of that: edits take a rule away.
type rule string

// edit is a place of the source at which a rule is kept, and what stands there in a build in which rules can be taken away. NAME is
// the rule.
type edit struct {
	rule     rule
	old, new string
}

// edits are the rules that keep messages from going astray; mutations has programs that go wrong without them. A rule that is kept
// in several places has several edits.
var edits = []edit{
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

// absence is a rule of speculation without which one of some tests must fail.
type absence struct {
	edit
	tests string
}

const (
	models     = "TestScenario|TestModel|TestRandomSchedules"
	adaptation = "TestAdaptation"
)

// absences are what has receives offer their memory, what ends that, and adaptation.
var absences = []absence{
	{edit{"STOP silences receives", "case g.stop:", "case g.stop && !without(`NAME`):"}, models},
	{edit{"RESUME lets them speak", "g.stop = false", "g.stop = g.stop && without(`NAME`)"}, models},
	{edit{"flags hold when their RTS arrives", "if h.Flags&gateFlags != 0 {", "if h.Flags&gateFlags != 0 && !(without(`NAME`) && e.posted.Last(env) == nil) {"}, models},
	{edit{"wildcards are silent", "if r.Wild() {", "if r.Wild() && !without(`NAME`) {"}, models},
	{edit{"an RTR is taken by messages that fit", "if len(r.Buf) <= t.room &&", "if (len(r.Buf) <= t.room || without(`NAME`)) &&"}, models},
	{edit{"so is one for which an RTS is withdrawn", "len(r.Buf) > t.room ||", "len(r.Buf) > t.room && !without(`NAME`) ||"}, models},
	{edit{"an RTS that has left is not withdrawn", "if r.state == offered || r.pkt.Flags", "if r.state == offered && !without(`NAME`) || r.pkt.Flags"}, models},
	{edit{"nor is one that says more", "r.pkt.Flags != wire.Speculative ||", "r.pkt.Flags != wire.Speculative && !without(`NAME`) ||"}, models},
	{edit{"eager messages count before the first RTR", "sp.marks.add(hash)", "if !without(`NAME`) { sp.marks.add(hash) }"}, models},
	{edit{"void RTRs are few", "case g.unused >= e.cfg.MaxUnusedRTR:", "case g.unused >= e.cfg.MaxUnusedRTR && !without(`NAME`):"}, "TestVoidRTRsDoNotPileUp"},
	{edit{"a long request looks first", "|| e.cfg.NoInitialProgress {", "|| e.cfg.NoInitialProgress || without(`NAME`) {"}, "TestAdaptationEndsTheInitialLook"},
	{edit{"a send that nobody speaks to does not", "return s == nil || !s.stopped", "return s == nil || !s.stopped || without(`NAME`)"}, "TestAdaptationEndsTheInitialLook"},
	{edit{"RTRs of little use end", "share >= e.cfg.SpecThreshold {", "share >= e.cfg.SpecThreshold || without(`NAME`) {"}, adaptation},
	{edit{"receives heed that", "case g.silent:", "case g.silent && !without(`NAME`):"}, adaptation},
	{edit{"few RTRs prove nothing", "if n < c.SpecMinSamples {", "if n < c.SpecMinSamples && !without(`NAME`) {"}, adaptation},
	{edit{"silent receives are watched", "if !usable || !enough ||", "if !usable || !enough || without(`NAME`) ||"}, adaptation},
	{edit{"an RTR needs its time", "e.now-r.since > e.cfg.RoundTrip", "e.now-r.since > e.cfg.RoundTrip || without(`NAME`)"}, adaptation},
	{edit{"each silence is longer", "g.watched < g.patience {", "g.watched < g.patience && !without(`NAME`) {"}, "TestSilencesGrow"},
	{edit{"envelopes are judged alone, or together", "if e.cfg.SpecScope == PerProcess {\n\t\treturn &e.spec.used\n", "if e.cfg.SpecScope == PerProcess && !without(`NAME`) {\n\t\treturn &e.spec.used\n"}, "TestScopes"},
}
