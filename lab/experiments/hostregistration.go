package experiments

import (
	"context"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs/perf"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/lab"
)

// hostRegistration measures the software interface of this host. It has no tables in hardware and pins no pages, so its
// cost hardly depends on the size.
func hostRegistration(ctx context.Context, b *lab.Bench, register, deregister *lab.Series) (err error) {
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		return fmt.Errorf("no software device: %w", err)
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	b.UseHost()
	return perf.Register(ctx, dev, b.Sizes(4<<10, 1<<20), 100, func(row perf.Registration) error {
		register.Add(float64(row.Size), row.Register.Typical)
		deregister.Add(float64(row.Size), row.Deregister.Typical)
		return nil
	})
}
