package boot

import (
	"errors"
	"fmt"
	"os"

	"github.com/weft-mpi/weft/internal/arrival"
)

// Begin is called by all ranks before the program's first call: it starts what WEFT_ARRIVALS and WEFT_PROFILE ask for.
func (r *Rank) Begin() error {
	if err := r.beginArrivals(); err != nil {
		return err
	}
	return r.beginProfile()
}

// End is called by all ranks after the program's last call, if all went well: it writes what Begin has
// started to record.
func (r *Rank) End() error {
	if err := r.endProfile(); err != nil {
		return err
	}
	return r.endArrivals()
}

func (r *Rank) beginArrivals() error {
	if r.arrivals == "" {
		return nil
	}
	rec, err := arrival.Start(r.Env.World(), r.clock.Now, r.Env.Site, arrival.Limit)
	if err != nil {
		return err
	}
	r.recorder, r.Env.Observer = rec, rec
	return nil
}

func (r *Rank) endArrivals() error {
	if r.recorder == nil {
		return nil
	}
	p, err := r.recorder.Stop()
	r.recorder, r.Env.Observer = nil, nil
	if err != nil || p == nil {
		return err
	}
	f, err := os.Create(r.arrivals)
	if err != nil {
		return fmt.Errorf("WEFT_ARRIVALS: %w", err)
	}
	if err := errors.Join(p.Write(f), f.Close()); err != nil {
		return fmt.Errorf("WEFT_ARRIVALS: %w", err)
	}
	return nil
}
