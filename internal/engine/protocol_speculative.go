package engine

import (
	"maps"
	"math/bits"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// speculative: a long receive that is posted early offers its memory (RTR), and the send that finds
// the RTR writes there. Where none is there, as rget. Which RTR belongs to which send is what most
// of this is about, see docs/researching/rendezvous.md.
//
//	sender                      receiver
//	                               Irecv
//	  |<------ RTR(key) --------|
//	Isend                       |
//	  |------- RTR_ACK -------->|
//	  |======= write ==========>|
//	  |-------- DONE ---------->|
//	done                      done
var speculative = &protocol{
	Name: "speculative", About: "the receive has offered its memory early, and the sender writes at once; else as rget", Trips: 2,
	fits: func(r *Req) bool {
		return (r.Rendezvous == wire.Speculate || r.Rendezvous == wire.MaySpeculate) && !r.short()
	},
	limits: "long, on links that speculate",
	start:  (*Engine).sendSpeculative,
	answer: (*Engine).answerOffer,
	abort:  (*Engine).takeBack,
	packets: packets{
		wire.RTR:       (*Engine).arriveRTR,
		wire.RTRAck:    (*Engine).arriveRTRAck,
		wire.RTRCancel: (*Engine).arriveRTRCancel,
	},
}

// speculation is what an engine remembers of RTRs. It exists from the first request or RTR of a
// link that speculates.
//
// An eager message voids RTRs that its sender may only see later, so it must leave a trace even
// where nothing is known of its envelope. Keeping every envelope would grow without bound; a mark
// per hash value is enough, because a mark too many only costs one STOP and RESUME.
type speculation struct {
	marks    bitset                     // envelopes that an eager message has left for, by hash
	known    bitset                     // envelopes in supplies, by hash
	supplies map[match.Envelope]*supply // as a sender: envelopes that RTRs have come for
	gates    map[match.Envelope]*gate   // as a receiver: envelopes that RTRs have left for
	offers   match.Posted[*Req]         // sends whose RTS is out and that neither RTR nor answer has met
	debts    match.Posted[*Req]         // receives without an RTR that read: an RTS_ACK is due before their envelope's next RTR
	used     history                    // PerProcess: of all supplies
	usable   history                    // PerProcess: of all gates
	eagerMax int                        // the longest seen
	turn     uint32                     // of the latest RTR_CANCEL
	sweepAt  int                        // size of supplies at which to look for idle ones
}

const maxEnvelopes = 1024 // gates, and supplies before idle ones are dropped

// speculation returns the engine's speculation, made on first use.
func (e *Engine) speculation() *speculation {
	if e.spec == nil {
		e.spec = &speculation{supplies: map[match.Envelope]*supply{}, gates: map[match.Envelope]*gate{}, sweepAt: maxEnvelopes}
	}
	return e.spec
}

// bitset is a set of hash values.
type bitset [1 << (markBits - 6)]uint64

const markBits = 14

func (b *bitset) add(hash uint32) {
	h := hash >> (32 - markBits)
	b[h>>6] |= 1 << (h & 63)
}

func (b *bitset) has(hash uint32) bool {
	h := hash >> (32 - markBits)
	return b[h>>6]>>(h&63)&1 != 0
}

// history remembers of the latest events which went well. The zero value has seen nothing.
type history struct {
	bits uint64 // the latest is the lowest
	n    int
}

const maxWindow = 64

func (h *history) add(well bool) {
	h.bits <<= 1
	if well {
		h.bits |= 1
	}
	h.n = min(h.n+1, maxWindow)
}

// share tells which part of the latest events went well, and whether they are enough to judge.
func (h *history) share(c *Config) (share float64, enough bool) {
	n := min(h.n, c.SpecWindow)
	if n < c.SpecMinSamples {
		return 0, false
	}
	return float64(bits.OnesCount64(h.bits<<(maxWindow-n))) / float64(n), true
}

// race is how far the exchange of STOP and RESUME is, as its sender sees it.
type race uint8

const (
	normal   race = iota
	stopping      // STOP is out: RTRs that arrive are void
	drained       // no RTR can be under way; the next RTS carries RESUME
)

// supply is what a sender knows of an envelope that RTRs have come for.
type supply struct {
	race    race
	eager   bool     // an eager message has left: every RTR is suspect
	stopped bool     // adaptation has asked the receiver for silence
	kept    []target // RTRs that wait for a send, oldest first
	used    history
}

// idle tells whether nothing is lost with s but its history.
func (s *supply) idle() bool { return s.race == normal && !s.stopped && len(s.kept) == 0 }

// supply returns what is known of an envelope that an RTR has come for.
func (sp *speculation) supply(env match.Envelope) *supply {
	if s := sp.supplies[env]; s != nil {
		return s
	}
	if len(sp.supplies) >= sp.sweepAt {
		for at, s := range sp.supplies {
			if s.idle() {
				delete(sp.supplies, at)
			}
		}
		sp.sweepAt = max(maxEnvelopes, 2*len(sp.supplies))
	}
	s := &supply{eager: sp.marks.has(env.Hash())}
	sp.supplies[env] = s
	sp.known.add(env.Hash())
	return s
}

// gate is what a receiver knows of an envelope that RTRs have left for.
type gate struct {
	stop   bool // the sender said STOP
	silent bool // the sender's adaptation asked for silence
	unused int  // void RTRs that lie at the sender
	usable history
	trial
}

// trial is how RTRs did that were sent again after a silence. What looks usable from here may not
// be: silences that ended too early make the next one longer.
type trial struct {
	resumed  bool // RTRs are sent again
	taken    int  // how many of them a write has answered
	watched  int  // silent receives that have met their message
	patience int  // how many of them it takes at least before RTRs are sent again
}

const (
	patienceGrowth = 8    // from one silence to the next
	maxPatience    = 4096 // silent receives
)

// quieten begins a silence of the envelope.
func (g *gate) quieten(c *Config) {
	patience := g.patience
	switch {
	case g.resumed && g.taken >= c.SpecWindow: // they did well for long
		patience = 0
	case g.resumed:
		patience = min(max(patienceGrowth*patience, c.SpecWindow), maxPatience)
	}
	g.silent, g.trial = true, trial{patience: patience}
}

// gate returns what is known of an envelope that an RTR has left or could leave for; nil if it
// could and there is no room to know more.
func (sp *speculation) gate(env match.Envelope, could bool) *gate {
	if g := sp.gates[env]; g != nil {
		return g
	}
	if could && len(sp.gates) >= maxEnvelopes {
		for at, g := range sp.gates {
			if !g.stop && !g.silent {
				delete(sp.gates, at)
			}
		}
		if len(sp.gates) >= maxEnvelopes {
			return nil
		}
	}
	g := new(gate)
	sp.gates[env] = g
	return g
}

// forgetAll drops what is known of envelopes.
func (sp *speculation) forgetAll(which func(match.Envelope) bool) {
	maps.DeleteFunc(sp.supplies, func(env match.Envelope, _ *supply) bool { return which(env) })
	maps.DeleteFunc(sp.gates, func(env match.Envelope, _ *gate) bool { return which(env) })
}

// WantsPoll tells whether what has arrived should be looked at before r is posted: a long send may
// find an RTR, a long receive an RTS. It costs short requests one comparison. A send whose
// envelope's RTRs adaptation has stopped does not look: no RTR can be there. A receive still does,
// for the sooner it sees an RTS the more of the transfer it hides.
func (e *Engine) WantsPoll(r *Req, send bool) bool {
	if r.Rendezvous != wire.Speculate || len(r.Buf) <= r.EagerMax || e.cfg.NoInitialProgress {
		return false
	}
	if e.spec == nil || !send {
		return true
	}
	s := e.spec.supplies[r.Envelope]
	return s == nil || !s.stopped
}
