package nic

import (
	"cmp"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Configure fills in what the configuration of a queue pair leaves open, and refuses what a device with
// these capabilities and so many rails cannot have. Queues that it names are the caller's to check.
func Configure(cfg *verbs.QPConfig, caps verbs.Caps, rails int) error {
	if cfg.SRQ != nil {
		cfg.RecvDepth, cfg.RecvSGE = 1, 1
	}
	cfg.SendSGE, cfg.RecvSGE = cmp.Or(cfg.SendSGE, 1), cmp.Or(cfg.RecvSGE, 1)
	cfg.Reads, cfg.ReadsIn = cmp.Or(cfg.Reads, caps.MaxReads), cmp.Or(cfg.ReadsIn, caps.MaxReads)
	for _, c := range []struct {
		what             string
		value, low, high int
	}{
		{"rail", cfg.Rail, 0, rails - 1},
		{"SendDepth", cfg.SendDepth, 1, caps.MaxDepth}, {"RecvDepth", cfg.RecvDepth, 1, caps.MaxDepth},
		{"SendSGE", cfg.SendSGE, 1, caps.MaxSGE}, {"RecvSGE", cfg.RecvSGE, 1, caps.MaxSGE},
		{"Inline", cfg.Inline, 0, caps.MaxInline},
		{"Reads", cfg.Reads, 1, caps.MaxReads}, {"ReadsIn", cfg.ReadsIn, 1, caps.MaxReads},
	} {
		if c.value < c.low || c.value > c.high {
			return fmt.Errorf("%w: %s is %d, possible are %d to %d", verbs.ErrArgument, c.what, c.value, c.low, c.high)
		}
	}
	return nil
}

// StateErrors say in which state a queue pair is that cannot do what is asked of it. They are made once,
// because posting must not allocate.
var StateErrors = [...]error{
	verbs.Reset: inState("Reset"), verbs.Init: inState("Init"), verbs.RTR: inState("RTR"), verbs.RTS: inState("RTS"), verbs.Error: inState("Error"),
}

func inState(name string) error {
	return fmt.Errorf("%w: the queue pair is in %s", verbs.ErrState, name)
}
