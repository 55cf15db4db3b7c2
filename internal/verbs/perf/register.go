package perf

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Registration is what it costs to register and deregister memory of one size.
type Registration struct {
	Size       int     `json:"bytes"`
	Iterations int     `json:"iterations"`
	Register   Latency `json:"register"`
	Deregister Latency `json:"deregister"`
}

// registerWarmup is how often each size is registered before the clock counts.
const registerWarmup = 10

// Register measures registration on a device, size after size. The memory has been touched before, as that of a
// program that communicates has.
func Register(ctx context.Context, dev verbs.Device, sizes []int, iterations int, emit func(Registration) error) error {
	pd, err := dev.NewPD()
	if err != nil {
		return err
	}
	for _, size := range sizes {
		r, err := registerOne(pd, size, iterations)
		if err == nil {
			err = emit(r)
		}
		if err != nil {
			return fmt.Errorf("registering %d bytes: %w", size, err)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return pd.Close()
}

func registerOne(pd verbs.PD, size, iterations int) (Registration, error) {
	memory := make([]byte, size)
	fill(memory, uint64(size))
	up, down := make([]int64, 0, iterations), make([]int64, 0, iterations)
	for i := -registerWarmup; i < iterations; i++ {
		start := now()
		mr, err := pd.Register(memory, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite)
		if err != nil {
			return Registration{}, err
		}
		middle := now()
		if err := mr.Close(); err != nil {
			return Registration{}, err
		}
		if i >= 0 {
			up, down = append(up, middle-start), append(down, now()-middle)
		}
	}
	return Registration{Size: size, Iterations: iterations, Register: summarizeTimes(up, 1), Deregister: summarizeTimes(down, 1)},
		verify(memory, uint64(size))
}
