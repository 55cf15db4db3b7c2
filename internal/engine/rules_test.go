package engine

import "github.com/weft-mpi/weft/internal/engine/rules"

// absence is a rule of speculation without which one of some tests must fail.
type absence struct {
	rules.Edit
	tests string
}

func edit(rule, old, new string) rules.Edit { return rules.Edit{Rule: rule, Old: old, New: new} }

const (
	models     = "TestScenario|TestModel|TestRandomSchedules"
	adaptation = "TestAdaptation"
)

// absences are what has receives offer their memory, what ends that, and adaptation.
var absences = []absence{
	{edit("STOP silences receives", "case g.stop:", "case g.stop && !without(`NAME`):"), models},
	{edit("RESUME lets them speak", "g.stop = false", "g.stop = g.stop && without(`NAME`)"), models},
	{edit("flags hold when their RTS arrives", "if h.Flags&gateFlags != 0 {", "if h.Flags&gateFlags != 0 && !(without(`NAME`) && e.posted.Last(env) == nil) {"), models},
	{edit("wildcards are silent", "if r.Wild() {", "if r.Wild() && !without(`NAME`) {"), models},
	{edit("an RTR is taken by messages that fit", "if len(r.Buf) <= t.room &&", "if (len(r.Buf) <= t.room || without(`NAME`)) &&"), models},
	{edit("so is one for which an RTS is withdrawn", "len(r.Buf) > t.room ||", "len(r.Buf) > t.room && !without(`NAME`) ||"), models},
	{edit("an RTS that has left is not withdrawn", "if r.state == offered || r.pkt.Flags", "if r.state == offered && !without(`NAME`) || r.pkt.Flags"), models},
	{edit("nor is one that says more", "r.pkt.Flags != wire.Speculative ||", "r.pkt.Flags != wire.Speculative && !without(`NAME`) ||"), models},
	{edit("eager messages count before the first RTR", "sp.marks.add(hash)", "if !without(`NAME`) { sp.marks.add(hash) }"), models},
	{edit("void RTRs are few", "case g.unused >= e.cfg.MaxUnusedRTR:", "case g.unused >= e.cfg.MaxUnusedRTR && !without(`NAME`):"), "TestVoidRTRsDoNotPileUp"},
	{edit("a long request looks first", "|| e.cfg.NoInitialProgress {", "|| e.cfg.NoInitialProgress || without(`NAME`) {"), "TestAdaptationEndsTheInitialLook"},
	{edit("a send that nobody speaks to does not", "return s == nil || !s.stopped", "return s == nil || !s.stopped || without(`NAME`)"), "TestAdaptationEndsTheInitialLook"},
	{edit("RTRs of little use end", "share >= e.cfg.SpecThreshold {", "share >= e.cfg.SpecThreshold || without(`NAME`) {"), adaptation},
	{edit("receives heed that", "case g.silent:", "case g.silent && !without(`NAME`):"), adaptation},
	{edit("few RTRs prove nothing", "if n < c.SpecMinSamples {", "if n < c.SpecMinSamples && !without(`NAME`) {"), adaptation},
	{edit("silent receives are watched", "if !usable || !enough ||", "if !usable || !enough || without(`NAME`) ||"), adaptation},
	{edit("an RTR needs its time", "e.now-r.since > e.cfg.RoundTrip", "e.now-r.since > e.cfg.RoundTrip || without(`NAME`)"), adaptation},
	{edit("each silence is longer", "g.watched < g.patience {", "g.watched < g.patience && !without(`NAME`) {"), "TestSilencesGrow"},
	{edit("envelopes are judged alone, or together", "if e.cfg.SpecScope == PerProcess {\n\t\treturn &e.spec.used\n", "if e.cfg.SpecScope == PerProcess && !without(`NAME`) {\n\t\treturn &e.spec.used\n"), "TestScopes"},
}
