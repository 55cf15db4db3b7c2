package mpi_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// mote is a particle: fields of several sizes, one within another struct, and holes.
type mote struct {
	ID   int32
	At   struct{ X, Y float64 }
	Mass float32
	Tag  [3]int16
}

// places is which elements of a slice a layout names, by its definition.
func places(l mpi.Layout) (at []int) {
	switch l := l.(type) {
	case mpi.Strided:
		for i := range l.Count {
			for j := range l.Block {
				at = append(at, i*l.Stride+j)
			}
		}
	case mpi.Indexed:
		for _, b := range l {
			for j := range b.Len {
				at = append(at, b.Start+j)
			}
		}
	case mpi.Subarray:
		at = []int{0}
		for d := range l.Sizes {
			var next []int
			for _, a := range at {
				for i := range l.Sub[d] {
					start := 0
					if l.Start != nil {
						start = l.Start[d]
					}
					next = append(next, a*l.Sizes[d]+start+i)
				}
			}
			at = next
		}
	}
	return at
}

// layoutsOf are layouts of n elements or nearly so, short and long.
func layoutsOf(n int) []mpi.Layout {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	var anywhere mpi.Indexed
	at := 0
	for left := n; left > 0; {
		b := mpi.Block{Start: at + rng.IntN(3), Len: 1 + rng.IntN(min(left, 9))}
		anywhere = append(anywhere, b)
		at = b.Start + b.Len
		left -= b.Len
	}
	backwards := slices.Clone(anywhere)
	slices.Reverse(backwards)
	return []mpi.Layout{
		mpi.Strided{Count: n, Block: 1, Stride: 2}, mpi.Strided{Count: n / 8, Block: 8, Stride: 11}, mpi.Strided{Count: n / 64, Block: 64, Stride: 65},
		anywhere, backwards, mpi.Subarray{Sizes: []int{n/3 + 1, 5}, Sub: []int{n / 3, 3}, Start: []int{1, 1}},
		mpi.Subarray{Sizes: []int{2, n/2 + 1, 3}, Sub: []int{2, n / 2, 1}}, mpi.Strided{Count: 1, Block: n, Stride: 0}, mpi.Strided{},
	}
}

// filled is a slice in which every element tells where it is and whose it is.
func filled(n, who int) []int64 {
	buf := make([]int64, n)
	for i := range buf {
		buf[i] = int64(who)<<32 | int64(i)
	}
	return buf
}

// placed is what a buffer has in the end: in a layout the elements that were sent, elsewhere what was there before.
func placed(to mpi.Layout, src []int64, from mpi.Layout, before []int64) []int64 {
	all, at := slices.Clone(before), places(to)
	for i, p := range places(from) {
		if i < len(at) {
			all[at[i]] = src[p]
		}
	}
	return all
}

// landed compares what was received into a layout with what is to be there.
func landed(got []int64, to mpi.Layout, src []int64, from mpi.Layout, before []int64) error {
	return same("what was received", got, placed(to, src, from, before))
}

// elements are all of these numbers, or the smallest and the largest.
func elements(all ...int) []int {
	if underRace || flag.Parsed() && testing.Short() { // ranks that are processes have no flags
		return []int{all[0], all[len(all)-1]}
	}
	return all
}

const roomFor = 3 // elements of a slice for each that a layout names

// bodyShaped sends elements of every layout around a ring, blocking, not blocking, synchronously matched by a probe, and
// receives them into the same or another layout, or a slice; the receive is there first or comes later.
func bodyShaped(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	for _, n := range elements(8, 100, 3000, 20_000) {
		size := roomFor*n + 100
		src, theirs, before := filled(size, c.Rank()), filled(size, left), filled(size, 99)
		for i, l := range layoutsOf(n) {
			all, bytes := placed(l, theirs, l, before), 8*len(places(l))
			check := func(what string, buf []int64, st mpi.Status, err error) error {
				if err == nil {
					err = errors.Join(want("bytes", st.Bytes, bytes), same("what was received", buf, all))
				}
				if err != nil {
					return fmt.Errorf("%s, layout %d of %d elements: %w", what, i, n, err)
				}
				return nil
			}
			buf := slices.Clone(before)
			st, err := mpi.SendrecvLayout(c, src, l, right, 1, buf, l, left, 1)
			if err := check("sendrecv", buf, st, err); err != nil {
				return err
			}
			buf = slices.Clone(before)
			r := mpi.IsendLayout(c, src, l, right, 2)
			if i%2 == 0 {
				err = mpi.Barrier(c) // it has come, or its offer
			}
			m, err2 := mpi.Mprobe(c, left, 2)
			if err = errors.Join(err, err2); err == nil {
				st, err = mpi.MrecvLayout(m, buf, l)
			}
			_, err2 = r.Wait()
			if err := check("mrecv", buf, st, errors.Join(err, err2)); err != nil {
				return err
			}
			buf = slices.Clone(before)
			r = mpi.IrecvLayout(c, buf, l, left, 3)
			err = errors.Join(mpi.Barrier(c), mpi.SendLayout(c, src, l, right, 3))
			st, err2 = r.Wait()
			if err := check("irecv", buf, st, errors.Join(err, err2)); err != nil {
				return err
			}
		}
	}
	return nil
}

// bodyShapesMeet has senders and receivers of different layouts, and of slices.
func bodyShapesMeet(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	for _, n := range elements(24, 960, 16_000) {
		apart, rows := mpi.Strided{Count: n, Block: 1, Stride: 3}, mpi.Strided{Count: n / 8, Block: 8, Stride: 9}
		plain := mpi.Strided{Count: 1, Block: n}
		src, theirs, before := filled(roomFor*n, c.Rank()), filled(roomFor*n, left), filled(roomFor*n, 99)
		for _, out := range []mpi.Layout{apart, rows, plain} {
			for _, in := range []mpi.Layout{apart, rows, plain} {
				buf := slices.Clone(before)
				_, err := mpi.SendrecvLayout(c, src, out, right, 1, buf, in, left, 1)
				if err = errors.Join(err, landed(buf, in, theirs, out, before)); err != nil {
					return fmt.Errorf("%d elements from %v to %v: %w", n, out, in, err)
				}
				half := mpi.Strided{Count: n / 2, Block: 1, Stride: 2}
				buf = slices.Clone(before)
				st, err := mpi.SendrecvLayout(c, src, out, right, 1, buf, half, left, 1)
				if !errors.Is(err, mpi.ErrTruncate) || st.Bytes != 8*(n/2) {
					return fmt.Errorf("%d elements into half the room: %d bytes, %w", n, st.Bytes, err)
				}
				if err := landed(buf, half, theirs, out, before); err != nil && c.Size() == 1 {
					return fmt.Errorf("%d elements into half the room: %w", n, err)
				}
			}
		}
	}
	return nil
}

// bodyAlltoallLayout transposes a matrix that ranks have by blocks of columns and of rows, blocking and not.
func bodyAlltoallLayout(c *mpi.Comm) error {
	for _, n := range []int{1, 3, 70} {
		p, width := c.Size(), n*c.Size()
		mine, rows := make([]int64, n*width), make([]int64, n*width) // n rows; n columns, each in a row
		for i := range n {
			for j := range width {
				mine[i*width+j] = int64(c.Rank()*n+i)*1000 + int64(j)
			}
		}
		out, in := make([]mpi.Layout, p), make([]mpi.Layout, p)
		for r := range p {
			out[r] = mpi.Subarray{Sizes: []int{n, width}, Sub: []int{n, n}, Start: []int{0, r * n}}
			var columns mpi.Indexed // element (i, j) of what rank r sends goes to row j, column r*n+i
			for i := range n {
				for j := range n {
					columns = append(columns, mpi.Block{Start: j*width + r*n + i, Len: 1})
				}
			}
			in[r] = columns
		}
		for name, f := range map[string]func() error{
			"alltoall":  func() error { return mpi.AlltoallLayout(c, mine, out, rows, in) },
			"ialltoall": func() error { _, err := mpi.IalltoallLayout(c, mine, out, rows, in).Wait(); return err },
		} {
			clear(rows)
			if err := f(); err != nil {
				return err
			}
			for j := range n {
				for i := range width {
					if got, want := rows[j*width+i], int64(i)*1000+int64(c.Rank()*n+j); got != want {
						return fmt.Errorf("%s of %d: row %d, column %d is %d, want %d", name, n, j, i, got, want)
					}
				}
			}
		}
	}
	return nil
}

func TestLayouts(t *testing.T)        { onComms(t, bodyShaped) }
func TestLayoutsMeet(t *testing.T)    { onComms(t, bodyShapesMeet) }
func TestAlltoallLayout(t *testing.T) { onComms(t, bodyAlltoallLayout) }

// TestFieldsOfStructs sends some fields of structs; the others stay as they are.
func TestFieldsOfStructs(t *testing.T) {
	onComms(t, func(c *mpi.Comm) error {
		right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
		const n = 50
		src, dst := make([]mote, n), make([]mote, n)
		for i := range src {
			src[i].ID, src[i].At.X, src[i].At.Y, src[i].Mass, src[i].Tag = int32(i), float64(c.Rank()), float64(i), 7, [3]int16{1, 2, int16(i)}
			dst[i].Mass = 3
		}
		some := mpi.Fields[mote](n, "Tag", "At.Y", "ID")
		st, err := mpi.SendrecvLayout(c, src, some, right, 0, dst, some, left, 0)
		if err != nil || st.Bytes != n*(6+8+4) {
			return fmt.Errorf("%d bytes: %w", st.Bytes, err)
		}
		for i, d := range dst {
			if d.ID != int32(i) || d.At.X != 0 || d.At.Y != float64(i) || d.Mass != 3 || d.Tag != [3]int16{1, 2, int16(i)} {
				return fmt.Errorf("particle %d is %+v", i, d)
			}
		}
		ys := make([]float64, n)
		r := mpi.Irecv(c, ys, left, 1)
		err = mpi.SendLayout(c, src, mpi.From(10, mpi.Fields[mote](5, "At.X", "At.Y")), right, 1)
		st, err2 := r.Wait()
		if err := errors.Join(err, err2); err != nil || st.Bytes != 80 || ys[0] != float64(left) || ys[1] != 10 || ys[9] != 14 {
			return fmt.Errorf("%d bytes: %v, %w", st.Bytes, ys[:10], err)
		}
		return nil
	})
}

// TestLayoutMistakes: what does not fit is told, and nothing happens.
func TestLayoutMistakes(t *testing.T) {
	runs(t, 1, func(c *mpi.Comm) error {
		buf := make([]int64, 10)
		type pointer struct{ P *int }
		fails := func(what string, err, want error) error {
			if !errors.Is(err, want) {
				return fmt.Errorf("%s: error %w, want %w", what, err, want)
			}
			return nil
		}
		send := func(l mpi.Layout) error { return mpi.SendLayout(c, buf, l, 0, 0) }
		recv := func(l mpi.Layout) error { _, err := mpi.RecvLayout(c, buf, l, 0, 0); return err }
		twice := mpi.Indexed{{Start: 3, Len: 2}, {Start: 4, Len: 1}}
		m := &mpi.Message{}
		_, taken := mpi.MrecvLayout(m, buf, twice)
		_, short := mpi.Unpack(make([]byte, 7), buf, mpi.Strided{Count: 1, Block: 1})
		_, pointers := mpi.Pack(nil, []pointer{{}}, nil)
		return errors.Join(
			fails("beyond the end", send(mpi.Strided{Count: 4, Block: 1, Stride: 4}), mpi.ErrCount),
			fails("before the beginning", send(mpi.Indexed{{Start: -1, Len: 1}}), mpi.ErrCount),
			fails("negative", recv(mpi.Strided{Count: -1, Block: 1, Stride: 4}), mpi.ErrCount),
			fails("huge", recv(mpi.Strided{Count: 1 << 40, Block: 1 << 40, Stride: 4}), mpi.ErrCount),
			fails("subarray", send(mpi.Subarray{Sizes: []int{2, 5}, Sub: []int{2, 4}, Start: []int{0, 2}}), mpi.ErrCount),
			fails("twice", recv(twice), mpi.ErrBuffer),
			fails("later", waited(mpi.IrecvLayout(c, buf, mpi.Strided{Count: 2, Block: 2, Stride: 1}, 0, 0)), mpi.ErrBuffer),
			fails("all to all", mpi.AlltoallLayout(c, buf, []mpi.Layout{nil}, buf, []mpi.Layout{twice}), mpi.ErrBuffer),
			fails("layouts", mpi.AlltoallLayout(c, buf, nil, buf, []mpi.Layout{nil}), mpi.ErrCount),
			fails("all to all beyond", waited(mpi.IalltoallLayout(c, buf, []mpi.Layout{mpi.Strided{Count: 9, Block: 1, Stride: 9}}, buf, []mpi.Layout{nil})), mpi.ErrCount),
			fails("no layout", send(mpi.From(1, nil)), mpi.ErrCount),
			fails("other type", send(mpi.Fields[mote](1, "ID")), mpi.ErrType),
			fails("no such field", mpi.SendLayout(c, make([]mote, 1), mpi.Fields[mote](1, "At.Z"), 0, 0), mpi.ErrType),
			fails("no struct", mpi.SendLayout(c, make([]mote, 1), mpi.Fields[mote](1, "ID.Z"), 0, 0), mpi.ErrType),
			fails("pointers", waited(mpi.IsendLayout(c, []pointer{{}}, nil, 0, 0)), mpi.ErrType),
			fails("rank", mpi.SendLayout(c, buf, mpi.Strided{Count: 2, Block: 1, Stride: 2}, 7, 0), mpi.ErrRank),
			fails("tag", waited(mpi.IsendLayout(c, buf, mpi.Strided{Count: 2, Block: 1, Stride: 2}, 0, -5)), mpi.ErrTag),
			fails("taken", taken, mpi.ErrRequest), fails("short", short, mpi.ErrTruncate), fails("packed pointers", pointers, mpi.ErrType),
		)
	})
}

// TestPackedLayouts packs and unpacks several layouts one after the other.
func TestPackedLayouts(t *testing.T) {
	src := filled(400, 1)
	var packed []byte
	var err error
	for _, l := range layoutsOf(100) {
		if packed, err = mpi.Pack(packed, src, l); err != nil {
			t.Fatal(err)
		}
	}
	rest := packed
	for i, l := range layoutsOf(100) {
		dst := filled(400, 2)
		if rest, err = mpi.Unpack(rest, dst, l); err != nil {
			t.Fatal(err)
		}
		if err := landed(dst, l, src, l, filled(400, 2)); err != nil {
			t.Errorf("layout %d: %v", i, err)
		}
	}
	if len(rest) != 0 {
		t.Errorf("%d bytes are left", len(rest))
	}
}
