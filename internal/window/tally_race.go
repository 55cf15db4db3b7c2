//go:build race

package window

import "sync/atomic"

// tally counts operations; see tally.go. The race detector is not to be bothered with it.
type tally struct{ n atomic.Uint64 }

func (t *tally) one() { t.n.Add(1) }

func (t *tally) count() uint64 { return t.n.Load() }
