package engine

// Scope says what one decision of the adaptation covers.
type Scope uint8

// The scopes.
const (
	PerEnvelope Scope = iota // each envelope is judged by its own RTRs
	PerProcess               // all envelopes of the process are judged together
)

// Config switches mechanisms and sets their limits. Zero values stand for Defaults, but for
// UnexpectedMax.
type Config struct {
	// HoldDone keeps DONE back until the sender has seen its write end, instead of sending it
	// behind the bytes.
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
	// RoundTrip is how much earlier than its RTS, in nanoseconds, a receive must be posted for its
	// RTR to be of use.
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
