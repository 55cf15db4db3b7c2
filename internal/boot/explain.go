package boot

import (
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/wire"
)

// Passage is how a message travels between two ranks.
type Passage struct {
	Between  string       `json:"between"`
	EagerMax int          `json:"eager_max"` // longest message that counts as short, in bytes
	Setting  string       `json:"setting,omitempty"`
	Long     string       `json:"long,omitempty"` // the setting that says how longer ones travel, with its value
	Ways     []engine.Way `json:"ways"`
}

// Passages tells how a standard send of n bytes travels, for ranks that are near each other or far, as
// settings have it.
func Passages(set *Settings, n int) []Passage {
	near := set.Shm
	near.Help = set.Help != "off"
	all := []Passage{
		{Between: "ranks of a process", EagerMax: inproc.EagerMax},
		{Between: "ranks of a host", EagerMax: near.Short(true, false), Setting: "WEFT_LAB_EAGER_MAX"},
		{Between: "hosts", EagerMax: set.Rail.EagerMax, Setting: "WEFT_NET_EAGER_MAX", Long: "WEFT_RNDV=" + set.Rail.Rendezvous.String()},
	}
	for i, how := range []wire.Rendezvous{wire.Pull, wire.Pull, set.Rail.Rendezvous} {
		all[i].Ways = engine.Ways(n, engine.Standard, all[i].EagerMax, how, 0)
	}
	return all
}
