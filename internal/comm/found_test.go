package comm

import (
	"errors"
	"fmt"
	"testing"
)

// Communicators of one node have agreed about its memory when they have a number: no collective of
// theirs goes before the program's. Those of several nodes need one.
func TestFoundOnOneNode(t *testing.T) {
	for _, nodes := range [][]int{{0, 0, 0, 0}, {0, 0, 1, 1}, {1, 0, 0, 0}} {
		envs, _ := newJob(t, nodes, func(int) int { return 3 * need(4) }, throughNodes)
		onAll(t, envs, func(w *Comm) error {
			d, err := w.Dup()
			if err != nil {
				return err
			}
			if asked := d.seq.Load() > 0; asked != (nodes[0] != nodes[3]) {
				return fmt.Errorf("ranks on nodes %v: asked each other about memory: %v", nodes, asked)
			}
			if d.RoomLacks() {
				return errors.New("there is no room")
			}
			return errors.Join(sumOf(d, 1000, false), d.Free())
		})
	}
}

// Where the node has memory for the world only, all ranks know when the communicator is there.
func TestFoundWithoutRoom(t *testing.T) {
	envs, memory := newJob(t, []int{0, 0, 0}, func(int) int { return need(3) + 100<<10 }, throughNodes)
	onAll(t, envs, func(w *Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		if !d.RoomLacks() || d.seq.Load() != 0 {
			return fmt.Errorf("room lacks: %v, after %d collectives", d.RoomLacks(), d.seq.Load())
		}
		return errors.Join(sumOf(d, 70_000, false), d.Free())
	})
	if memory[0].left < 100<<10 {
		t.Errorf("%d bytes left: memory is kept that nobody uses", memory[0].left)
	}
}

// Ranks may name different groups at once, or none.
func TestCreateOfSeveralGroups(t *testing.T) {
	envs, _ := newJob(t, []int{0, 0, 1, 1, 1}, func(int) int { return 4 * need(3) }, throughNodes)
	onAll(t, envs, func(w *Comm) error {
		groups := [][]int{{4, 0}, {1, 2}, {1, 2}, nil, {4, 0}}
		d, err := w.Create(NewGroup(groups[w.rank]))
		if err != nil || (d == nil) != (w.rank == 3) {
			return fmt.Errorf("rank %d got %v: %w", w.rank, d, err)
		}
		if d == nil {
			return nil
		}
		if d.Size() != 2 || groups[w.rank][d.Rank()] != w.rank {
			return fmt.Errorf("rank %d is rank %d of %d", w.rank, d.Rank(), d.Size())
		}
		return errors.Join(sumOf(d, 1000, false), d.Free())
	})
}

// A communicator of nobody is none.
func TestCreateOfNobody(t *testing.T) {
	envs, _ := newJob(t, []int{0, 0}, func(int) int { return 3 * need(2) }, throughNodes)
	onAll(t, envs, func(w *Comm) error {
		if d, err := w.Create(NewGroup(nil)); d != nil || err != nil {
			return fmt.Errorf("%v, %w", d, err)
		}
		return nil
	})
}
