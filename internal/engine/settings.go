package engine

import "github.com/weft-mpi/weft/internal/tune"

// Defaults are what a job should have.
func Defaults() Config {
	return Config{
		SpecThreshold: 0.8, SpecMinSamples: 8, SpecWindow: maxWindow, MaxUnusedRTR: 8, RoundTrip: 30_000, UnexpectedMax: 256 << 20,
	}
}

// Settings are the fields that can be chosen, as settings.
func (c *Config) Settings() tune.Group {
	return tune.Group{About: "messages", Rows: []tune.Row{
		tune.Bytes("WEFT_UNEXPECTED", &c.UnexpectedMax, 0, 1<<44, "memory of a rank for messages that no receive asks for; beyond it, senders keep their messages and offer them (their sends end when they are received); 0: no limit"),
		tune.Then(tune.Share("WEFT_LAB_SPEC_THRESHOLD", &c.SpecThreshold, "speculative: share of early offers that must have been of use, else they stop; 0: they never do"),
			func() { c.NoAdapt = c.SpecThreshold == 0 }),
		tune.Count("WEFT_LAB_SPEC_SAMPLES", &c.SpecMinSamples, 1, 1<<20, "speculative: early offers before that is judged"),
		tune.Count("WEFT_LAB_SPEC_WINDOW", &c.SpecWindow, 1, maxWindow, "speculative: early offers that are judged together"),
		tune.Enum("WEFT_LAB_SPEC_SCOPE", &c.SpecScope, []string{"envelope", "process"}, "speculative: judge offers by envelope (peer, tag, communicator) or for the whole process"),
		tune.Count("WEFT_LAB_SPEC_UNUSED", &c.MaxUnusedRTR, 1, 1<<20, "speculative: early offers in a row without use after which an envelope makes none for a while"),
		tune.Time("WEFT_LAB_SPEC_RTT", &c.RoundTrip, "speculative: how much earlier than its message a receive must be posted for its offer to be of use"),
		tune.Unless("WEFT_LAB_SPEC_CHAIN", &c.HoldDone, "speculative and rput: the end of a write is told by the network itself, not by the sender's next call: on, off"),
		tune.Unless("WEFT_LAB_SPEC_INITIAL", &c.NoInitialProgress, "speculative: look for arrived packets before a long message is posted: on, off"),
	}}
}
