package registrar

import (
	"errors"
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
	most       int // regions; 0 is no limit
}

// region is a registration; the methods that a registrar calls are all it has.
type region struct {
	verbs.MR
	of  *domain
	key uint32
}

func (d *domain) Register([]byte, verbs.Access) (verbs.MR, error) {
	if d.full || d.most > 0 && d.open >= d.most {
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

// What is kept without use makes room for windows and for the link's own memory, what is in use does not.
func TestMakesRoom(t *testing.T) {
	r, d := newRegistrar(t)
	for range 3 {
		r.Hide(r.Expose(make([]byte, 100), false))
	}
	k := r.Expose(make([]byte, 100), false)
	d.most = d.open
	if _, err := r.Share(make([]byte, 100)); err != nil {
		t.Errorf("no window: %v", err)
	}
	for range 2 {
		if _, err := r.Register(make([]byte, 100), verbs.LocalWrite); err != nil {
			t.Errorf("no memory of the link's own: %v", err)
		}
	}
	if n := r.Cache.Counters(); n.Evictions != 3 || n.Entries != 1 {
		t.Errorf("%d registrations gone, %d left; want 3 and the one in use", n.Evictions, n.Entries)
	}
	if _, err := r.Register(make([]byte, 100), verbs.LocalWrite); !errors.Is(err, verbs.ErrFull) || !r.Hide(k) {
		t.Errorf("what is in use went: %v", err)
	}
}
