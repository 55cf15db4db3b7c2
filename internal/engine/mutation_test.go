package engine

import (
	"errors"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/engine/rules"
	"github.com/weft-mpi/weft/internal/wire"
)

// mutations are the engine's rules, each with programs that go wrong without it. Published is the fixture of the
// rules as they were published, which lack one.
var mutations = []struct {
	name  string
	off   string
	sends []duelSend
	recvs []duelRecv
	busy  bool
}{
	{"no eager flag", "eager-flag", []duelSend{short, long}, []duelRecv{room, room}, false},
	{"no stop at the receiver", "stop", []duelSend{long, short, long, long, long}, []duelRecv{room, room, room, room, room}, false},
	{"published", "stop-reset", []duelSend{short, long, long, long, long}, []duelRecv{room, room, room, room, room, room}, false},
	{"no drain", "drain", []duelSend{short, long, long, long, long}, []duelRecv{room, room, room, room, room}, false},
	{"stale stop", "stale-stop", []duelSend{short, long, long, short, long, long, long, long},
		[]duelRecv{room, claimed, claimed, room, room, room, room, room}, false}, // only of claims an RTS with STOP is answered twice
	{"no RTR_ACK", "rtr-ack", []duelSend{long, short}, []duelRecv{room, room}, false},
	{"no RTS_ACK", "rts-ack", []duelSend{long, long, long}, []duelRecv{room, room, room}, false},
	{"RTS_ACK behind the RTR", "ack-first", []duelSend{long, long, long}, []duelRecv{room, room, room}, false},
	{"one RTS_ACK only", "ack-all", []duelSend{long, long, long, long}, []duelRecv{room, room, room, room}, false},
	{"RTS_ACK behind FIN", "ack-once", []duelSend{long, long, long, long}, []duelRecv{room, room, room, room}, false},
	{"no RTS_ACK of claims", "claim-ack", []duelSend{long, long, long, long}, []duelRecv{claimed, room, room, room}, false},
	{"no order rule", "order", []duelSend{long, short}, []duelRecv{little, room}, false},
	{"no order behind wildcards", "wildcard", []duelSend{long, short}, []duelRecv{anySrc, room}, false},
	{"no crossing", "crossing", []duelSend{long, long, long}, []duelRecv{room, room, room}, false},
	{"a small RTR is forgotten", "too-small", []duelSend{tooLong, long, long}, []duelRecv{room, room, room}, false},
	{"DONE only after RTR_ACK", "early-done", []duelSend{long}, []duelRecv{room}, false},
	{"taken back at once", "ask-back", []duelSend{backs, long}, []duelRecv{room, room}, false},
	{"an RTS kept back that was counted on", "retract", []duelSend{longs, long, long}, []duelRecv{room, room, room}, true},
	{"cancel at once", "ask-to-cancel", []duelSend{long, long}, []duelRecv{canceled, room}, false},
}

// TestEveryRuleIsNeeded takes away one rule at a time: messages must go astray, and must not with the rule.
func TestEveryRuleIsNeeded(t *testing.T) {
	if !rulesGo(t) {
		return
	}
	const most = 200_000
	covered := prefixRules
	for _, m := range mutations {
		covered = append(covered, m.off)
		t.Run(m.name, func(t *testing.T) {
			p := &duelProgram{sends: m.sends, recvs: m.recvs, busy: m.busy, cfg: Config{NoAdapt: true}}
			broken := *p
			broken.off = m.off
			for seed := range uint64(most) {
				if _, _, err := playRandomly(p, seed); err != nil {
					t.Fatalf("with all rules, schedule %d: %v", seed, err)
				}
				_, path, err := playRandomly(&broken, seed)
				if err != nil && !errors.Is(err, errBooks) {
					t.Logf("schedule %d: %v after %s", seed, err, describeSteps(path))
					return
				}
			}
			t.Errorf("%d schedules went well without the rule: it is not needed, or not tested", most)
		})
	}
	for _, e := range rules.Edits {
		if !slices.Contains(covered, e.Rule) {
			t.Errorf("rule %s has no mutation", e.Rule)
		}
	}
}

// A link that speculates later must not let its sends look like those of one that never does.
func TestLateSpeculationIsAnnounced(t *testing.T) {
	p := &duelProgram{
		sends: []duelSend{short, long, long}, recvs: []duelRecv{room, room, room}, cfg: Config{NoAdapt: true},
		lateSends: 1, pull: wire.MaySpeculate,
	}
	broken := *p
	broken.pull = wire.Pull
	astray := false
	for seed := range uint64(1000) {
		if _, _, err := playRandomly(p, seed); err != nil {
			t.Fatalf("schedule %d: %v", seed, err)
		}
		_, _, err := playRandomly(&broken, seed)
		astray = astray || err != nil && !errors.Is(err, errBooks)
	}
	if !astray {
		t.Error("a thousand schedules went well although the link said Pull first")
	}
}
