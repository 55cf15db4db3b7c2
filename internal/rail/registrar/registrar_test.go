package registrar

import (
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// domain registers memory and counts what is open.
type domain struct {
	verbs.PD
	open, keys int
	full       bool
}

// region is a registration; the methods that a registrar calls are all it has.
type region struct {
	verbs.MR
	of  *domain
	key uint32
}

func (d *domain) Register([]byte, verbs.Access) (verbs.MR, error) {
	if d.full {
		return nil, verbs.ErrFull
	}
	d.open++
	r := &region{of: d}
	return r, r.Rekey()
}

func (r *region) Rekey() error {
	r.of.keys++
	r.key = uint32(r.of.keys)
	return nil
}

func (r *region) LKey() uint32 { return r.key }
func (r *region) RKey() uint32 { return r.key }
func (r *region) Addr() uint64 { return 4096 }
func (r *region) Close() error { r.of.open--; return nil }

func newRegistrar(t *testing.T) (*Registrar, *domain) {
	t.Helper()
	d := &domain{}
	r, err := New(Config{PD: d, Clock: clock.Real, Options: Defaults()})
	if err != nil {
		t.Fatal(err)
	}
	return r, d
}

// Memory that is exposed twice is exposed until it was hidden twice; its key is void afterwards.
func TestExpose(t *testing.T) {
	r, _ := newRegistrar(t)
	buf := make([]byte, 100)
	k := r.Expose(buf, false)
	if again := r.Expose(buf, false); again != k || r.Exposed() != 1 {
		t.Fatalf("keys %v and %v, %d exposed", k, again, r.Exposed())
	}
	if !r.Hide(k) || r.Exposed() != 1 || !r.Hide(k) || r.Exposed() != 0 || r.Hide(k) {
		t.Errorf("%d exposed, or hidden once too often", r.Exposed())
	}
	if again := r.Expose(buf, false); again == k {
		t.Error("a key outlives what it was for")
	}
}

// What cannot be registered has no key.
func TestExposeRefused(t *testing.T) {
	r, d := newRegistrar(t)
	d.full = true
	if k := r.Expose(make([]byte, 100), true); k != (wire.Key{}) || r.Exposed() != 0 {
		t.Errorf("key %v, %d exposed", k, r.Exposed())
	}
}

// A window has a registration of its own, which ends with it.
func TestShare(t *testing.T) {
	r, d := newRegistrar(t)
	before := d.open
	k, err := r.Share(make([]byte, 100))
	if err != nil || r.Windows() != 1 || d.open != before+1 {
		t.Fatalf("%v, %d windows, %d open", err, r.Windows(), d.open-before)
	}
	for range 2 {
		if err := r.Unshare(k); err != nil || r.Windows() != 0 || d.open != before {
			t.Errorf("%v, %d windows, %d open", err, r.Windows(), d.open-before)
		}
	}
}
