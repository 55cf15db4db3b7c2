package experiments

import (
	"context"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// The low watermark is what keeps the messages of a burst from finding no receive: without it they do.
func TestWatermarkIsOfUse(t *testing.T) {
	b, err := lab.NewBench(lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, low := range []int{lowWatermark, 0} {
		_, retries, err := watchBurst(context.Background(), b, b.Setups("IB5")[0], low, storms, new(lab.Series))
		if err != nil || (retries > 0) != (low == 0) {
			t.Errorf("low watermark %d: messages were tried again %d times; %v", low, retries, err)
		}
	}
}

// Over XRC a process has a connection to each other node, not to each process there, and no more memory
// than with shared receives. Both ends of a connection count; on XRC messages go one way.
func TestXRCConnectsNodesNotProcesses(t *testing.T) {
	const nodes, each = 4, 4
	connections, memory := map[string]uint64{}, map[string]int64{}
	for _, channel := range []string{"srq", "ardma-sr", "xrc"} {
		b, err := lab.NewBench(lab.Options{})
		if err != nil {
			t.Fatal(err)
		}
		job := lab.Job{On: b.Setups("IB5")[0], Ranks: nodes * each, PerNode: each, Settings: []string{"channel=" + channel, "lab_hold=0"},
			Report: func(_ int, _ engine.Counters, l *rail.Report) {
				connections[channel] += l.Device["connections"]
				memory[channel] += l.Counters.MemoryHigh
			}}
		if err := b.Run(context.Background(), job, allToAll); err != nil {
			t.Fatalf("%s: %v", channel, err)
		}
		t.Logf("%s: %d ends of connections and %d KB of buffers a node", channel, connections[channel]/nodes, memory[channel]/nodes>>10)
	}
	const others = nodes - 1
	if n := connections["srq"]; n != nodes*each*others*each {
		t.Errorf("srq: %d ends of connections, want one for each peer of %d", n, nodes*each)
	}
	if n := connections["xrc"]; n != 2*nodes*each*others {
		t.Errorf("xrc: %d ends of connections, want two for each of %d nodes and %d ranks", n, others, nodes*each)
	}
	if memory["xrc"] > memory["srq"] || memory["xrc"] > memory["ardma-sr"] {
		t.Errorf("buffers: %v", memory)
	}
}

// allToAll has all ranks send short messages to all others.
func allToAll(k *measure.Rank) error {
	n := k.World.Size()
	for i := 1; i < n; i++ {
		to, from := (k.World.Rank()+i)%n, (k.World.Rank()+n-i)%n
		if _, err := mpi.Sendrecv(k.World, make([]byte, 1024), to, 0, make([]byte, 1024), from, 0); err != nil {
			return err
		}
	}
	return nil
}
