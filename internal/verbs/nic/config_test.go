package nic

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// What is left open is filled in, and what the device cannot have is refused by its name.
func TestConfigure(t *testing.T) {
	caps := verbs.Caps{MaxDepth: 8, MaxSGE: 4, MaxInline: 16, MaxReads: 2}
	cfg := verbs.QPConfig{SendDepth: 8, RecvDepth: 1}
	if err := Configure(&cfg, caps, 1); err != nil || cfg.SendSGE != 1 || cfg.RecvSGE != 1 || cfg.Reads != 2 || cfg.ReadsIn != 2 {
		t.Errorf("%+v, %v", cfg, err)
	}
	for _, c := range []verbs.QPConfig{
		{RecvDepth: 1},
		{SendDepth: 9, RecvDepth: 1},
		{SendDepth: 1},
		{SendDepth: 1, RecvDepth: 1, SendSGE: 5},
		{SendDepth: 1, RecvDepth: 1, RecvSGE: -1},
		{SendDepth: 1, RecvDepth: 1, Inline: 17},
		{SendDepth: 1, RecvDepth: 1, Reads: 3},
		{SendDepth: 1, RecvDepth: 1, ReadsIn: -1},
		{SendDepth: 1, RecvDepth: 1, Rail: 1},
	} {
		if err := Configure(&c, caps, 1); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
