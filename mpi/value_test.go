package mpi_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

type record struct {
	Name string
	Tags map[string][]int
	Next *record
}

func someRecord(i int) record {
	return record{fmt.Sprint("rank ", i), map[string][]int{"a": {1, i}, "b": nil}, &record{Name: strings.Repeat("long", 20_000)}}
}

// TestValues sends values with pointers: maps, strings, linked structs.
func TestValues(t *testing.T) { onComms(t, bodyValues) }

func bodyValues(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	sent := make(chan error, 1)
	go func() { sent <- mpi.SendValue(c, someRecord(c.Rank()), right, 3) }()
	got, st, err := mpi.RecvValue[record](c, left, mpi.AnyTag)
	if err := errors.Join(err, <-sent, want("source", st.Source, left), want("tag", st.Tag, 3)); err != nil {
		return err
	}
	wanted := someRecord(left)
	wanted.Tags["b"] = got.Tags["b"] // gob does not tell nil from empty
	if !reflect.DeepEqual(got, wanted) {
		return fmt.Errorf("received %+v", got.Name)
	}
	root := c.Size() - 1
	all, err := mpi.BcastValue(c, fmt.Sprint("from ", c.Rank()), root)
	return errors.Join(err, want("broadcast", all, fmt.Sprint("from ", root)))
}

// TestBadValues: what cannot be encoded or decoded is an error on the rank that sees it, and nothing hangs.
func TestBadValues(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			if err := mpi.Send(w, []byte("not a value"), 1, 1); err != nil {
				return err
			}
		} else {
			_, _, err := mpi.RecvValue[record](w, 0, 1)
			if !errors.Is(err, mpi.ErrType) || !strings.Contains(err.Error(), "SendValue") {
				return fmt.Errorf("decoded nonsense: %v", err)
			}
		}
		_, err := mpi.BcastValue[any](w, make(chan int), 0)
		if !errors.Is(err, mpi.ErrType) {
			return fmt.Errorf("broadcast a channel: %v", err)
		}
		if _, err := mpi.BcastValue(w, 1, 5); !errors.Is(err, mpi.ErrRoot) {
			return fmt.Errorf("broadcast from nobody: %v", err)
		}
		return mpi.Barrier(w)
	})
}
