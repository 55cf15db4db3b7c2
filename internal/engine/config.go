package engine

// Scope says what one decision of the adaptation covers.
type Scope uint8

// The scopes.
const (
	PerEnvelope Scope = iota // each envelope is judged by its own RTRs
	PerProcess               // all envelopes of the process are judged together
)

// Config switches mechanisms and sets their limits. Zero values stand for Defaults, but for UnexpectedMax.
type Config struct {
	// HoldDone keeps DONE back until the sender has seen its write end, instead of sending it behind the bytes.
	HoldDone bool
	// NoInitialProgress makes a long send or receive look only at what the engine has seen already.
	NoInitialProgress bool
	// NoAdapt lets receivers send RTRs whether or not they are of use.
	NoAdapt bool

	SpecThreshold  float64 // share of RTRs that must be of use
	SpecMinSamples int     // RTRs before that share counts
	SpecWindow     int     // how many of the latest RTRs it looks at, at most 64
	SpecScope      Scope
	// MaxUnusedRTR is how many void RTRs of one envelope may lie at the sender.
	MaxUnusedRTR int
	// RoundTrip is how much earlier than its RTS, in nanoseconds, a receive must be posted for its RTR to be of
	// use.
	RoundTrip int64
	// UnexpectedMax is how many bytes messages without a receive may take, their descriptions
	// included, before senders are asked to offer what they would send; 0: any number.
	UnexpectedMax int
}

// withDefaults fills in what the caller left open.
func (c Config) withDefaults() Config {
	d := Defaults()
	if c.SpecThreshold <= 0 || c.SpecThreshold > 1 {
		c.SpecThreshold = d.SpecThreshold
	}
	if c.SpecWindow <= 0 || c.SpecWindow > maxWindow {
		c.SpecWindow = d.SpecWindow
	}
	if c.SpecMinSamples <= 0 {
		c.SpecMinSamples = d.SpecMinSamples
	}
	c.SpecMinSamples = min(c.SpecMinSamples, c.SpecWindow)
	if c.MaxUnusedRTR <= 0 {
		c.MaxUnusedRTR = d.MaxUnusedRTR
	}
	if c.RoundTrip <= 0 {
		c.RoundTrip = d.RoundTrip
	}
	return c
}

// rule is one of the rules that keep speculation right. An engine obeys all of them; tests take one away and must
// see messages go astray.
type rule uint32

const (
	ruleEagerFlag   rule = 1 << iota // an eager message makes the RTRs of its envelope suspect
	ruleStop                         // suspect RTRs are void at both ends, not only at the sender's
	ruleStopReset                    // STOP makes receives silent whose RTRs it voids; the published rules lack this
	ruleDrain                        // RESUME waits until no RTR from before STOP can be under way
	ruleStaleStop                    // only the first answer to an RTS with STOP ends that stop
	ruleRTRAck                       // a receive leaves its queue when its RTR is taken, not when it is filled
	ruleRTSAck                       // a send whose receive sent no RTR takes none
	ruleAckFirst                     // it learns that before the RTR of the next receive
	ruleAckAll                       // and so do all such sends of the envelope
	ruleAckOnce                      // a send that has ended is not told: its number may be another's
	ruleClaimAck                     // a message that a matched probe takes counts as met
	ruleOrder                        // behind a silent receive all receives of its envelope are silent
	ruleWildcard                     // and behind a wildcard that could take their message
	ruleCrossing                     // an RTR that crosses an RTS belongs to that RTS
	ruleTooSmall                     // so does an RTR whose room was too small
	ruleEarlyDone                    // DONE may come before its RTR_ACK
	ruleAskToCancel                  // a receive whose RTR is out is cancelled only with the sender's consent
	ruleAskBack                      // an RTS or SYNC that has left is taken back only with the receiver's consent
	ruleRetract                      // an RTS that the receiver counts on is not kept from leaving
	ruleBothHalves                   // a receive ends when the prefix of its message and the rest are there, whichever is last
	rulePrefixGone                   // a send ends, or pushes, when the link is done with its RTS and the prefix
)

// obeys tells whether the engine keeps a rule.
func (e *Engine) obeys(r rule) bool { return e.broken&r == 0 }
