package comm

import (
	"sync"

	"github.com/weft-mpi/weft/internal/coll"
)

// Costs remembers what algorithms cost, see coll.Memory. The zero value is empty. Ranks of one
// process may share it.
type Costs struct {
	mu    sync.Mutex
	known map[coll.Kind][]coll.Cost
}

// keptCosts is how many kinds of cases are remembered at most.
const keptCosts = 4096

// Costs returns those of a kind; who asks while they are reckoned waits.
func (m *Costs) Costs(k coll.Kind, reckon func() []coll.Cost) []coll.Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	costs, known := m.known[k]
	if !known {
		costs = reckon()
		if m.known == nil || len(m.known) >= keptCosts {
			m.known = map[coll.Kind][]coll.Cost{}
		}
		m.known[k] = costs
	}
	return costs
}
