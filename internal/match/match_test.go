package match

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// naive is the ten-line twin: a slice searched from the front.
type naive struct{ entries []*Entry[int] }

func (q *naive) add(e *Entry[int]) { q.entries = append(q.entries, e) }

func (q *naive) take(fits func(Envelope) bool) *Entry[int] {
	for i, e := range q.entries {
		if fits(e.Envelope) {
			q.entries = append(q.entries[:i:i], q.entries[i+1:]...)
			return e
		}
	}
	return nil
}

func drawEnvelope(t *rapid.T, wild bool) Envelope { return drawUpTo(t, 3, wild) }

// drawUpTo draws an envelope with peers and tags up to most.
func drawUpTo(t *rapid.T, most int, wild bool) Envelope {
	low := 0
	if wild {
		low = Any
	}
	return Envelope{
		Ctx:  rapid.Uint32Range(0, 2).Draw(t, "ctx"),
		Peer: int32(rapid.IntRange(low, most).Draw(t, "peer")),
		Tag:  int32(rapid.IntRange(low, most).Draw(t, "tag")),
	}
}

func TestPostedAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Posted[int]
		var twin naive
		for i := range rapid.IntRange(1, 200).Draw(t, "operations") {
			switch rapid.IntRange(0, 4).Draw(t, "operation") {
			case 0, 1:
				e := &Entry[int]{Envelope: drawEnvelope(t, true), Value: i}
				q.Add(e)
				twin.add(e)
			case 2, 3:
				m := drawEnvelope(t, false)
				peek := q.Peek(m)
				got, want := q.Take(m), twin.take(func(p Envelope) bool { return p.Fits(m) })
				if got != want || peek != want {
					t.Fatalf("message %+v: got %+v, want %+v", m, got, want)
				}
			case 4:
				if len(twin.entries) == 0 {
					continue
				}
				e := twin.entries[rapid.IntRange(0, len(twin.entries)-1).Draw(t, "which")]
				q.Remove(e)
				for i := range twin.entries {
					if twin.entries[i] == e {
						twin.entries = append(twin.entries[:i:i], twin.entries[i+1:]...)
						break
					}
				}
			}
		}
		left := 0
		q.Each(func(e *Entry[int]) { left++; q.Remove(e) })
		if left != len(twin.entries) {
			t.Fatalf("%d left, want %d", left, len(twin.entries))
		}
	})
}

// What a posted queue tells about an envelope is what a slice would tell.
func TestPostedLooksAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Posted[int]
		var twin naive
		for i := range rapid.IntRange(0, 30).Draw(t, "receives") {
			e := &Entry[int]{Envelope: drawEnvelope(t, true), Value: i}
			q.Add(e)
			twin.add(e)
			if m := drawEnvelope(t, false); rapid.Bool().Draw(t, "take") {
				q.Take(m)
				twin.take(func(p Envelope) bool { return p.Fits(m) })
			}
		}
		m := drawEnvelope(t, false)
		var of []*Entry[int]
		wild := false
		for _, e := range twin.entries {
			if e.Envelope == m {
				of = append(of, e)
			}
			wild = wild || e.Wild() && e.Fits(m)
		}
		var last *Entry[int]
		if len(of) > 0 {
			last = of[len(of)-1]
		}
		var got []*Entry[int]
		q.EachOf(m, func(e *Entry[int]) { got = append(got, e) })
		if q.Len() != len(twin.entries) || q.Last(m) != last || q.WildFits(m) != wild || !slices.Equal(got, of) {
			t.Fatalf("%+v: %d receives, last %+v, wild %v, exact %v; want %d, %+v, %v, %v", m, q.Len(), q.Last(m),
				q.WildFits(m), got, len(twin.entries), last, wild, of)
		}
	})
}

// Queues of a few messages, and long ones of which a receive has to look at many.
func TestUnexpectedAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := NewUnexpected[int]()
		var twin naive
		most := rapid.SampledFrom([]int{3, 3 * far}).Draw(t, "most")
		add := func(i int) {
			e := &Entry[int]{Envelope: drawUpTo(t, most, false), Value: i}
			q.Add(e)
			twin.add(e)
		}
		for i := range rapid.SampledFrom([]int{0, 5 * far}).Draw(t, "before") {
			add(-i)
		}
		for i := range rapid.IntRange(1, 200).Draw(t, "operations") {
			if rapid.IntRange(0, 2).Draw(t, "arrives") == 0 {
				add(i)
				continue
			}
			p := drawUpTo(t, most, true)
			peek := q.Peek(p)
			got, want := q.Take(p), twin.take(p.Fits)
			if got != want || peek != want {
				t.Fatalf("pattern %+v: peek %+v, got %+v, want %+v", p, peek, got, want)
			}
		}
		if q.Len() != len(twin.entries) {
			t.Fatalf("%d left, want %d", q.Len(), len(twin.entries))
		}
	})
}

func TestNoAllocation(t *testing.T) {
	var q Posted[int]
	e := &Entry[int]{Envelope: Envelope{Ctx: 1, Peer: 2, Tag: 3}}
	q.Add(e)
	q.Take(e.Envelope)
	if n := testing.AllocsPerRun(100, func() { q.Add(e); q.Take(e.Envelope) }); n != 0 {
		t.Errorf("%v allocations per post and match", n)
	}
}

// BenchmarkPosted shows that an exact match costs the same behind a long queue.
func BenchmarkPosted(b *testing.B) {
	for _, depth := range []int{0, 32, 1024, 65536} {
		b.Run(itoa(depth), func(b *testing.B) {
			var q Posted[int]
			for i := range depth {
				q.Add(&Entry[int]{Envelope: Envelope{Peer: int32(i % 64), Tag: int32(i)}})
			}
			e := &Entry[int]{Envelope: Envelope{Ctx: 1, Peer: 2, Tag: 3}}
			for b.Loop() {
				q.Add(e)
				q.Take(e.Envelope)
			}
		})
	}
}

func itoa(n int) string {
	return map[int]string{0: "empty", 32: "32", 1024: "1Ki", 65536: "64Ki"}[n]
}

// BenchmarkUnexpected shows that a receive finds its message as soon behind a long queue, with wildcards
// and without. One operation is a message of n that came in order and are taken in another.
func BenchmarkUnexpected(b *testing.B) {
	const n = 20_000
	for _, c := range []struct {
		name    string
		pattern func(Envelope) Envelope
	}{
		{"exact", func(e Envelope) Envelope { return e }},
		{"any source", func(e Envelope) Envelope { return Envelope{e.Ctx, Any, e.Tag} }},
		{"any tag", func(e Envelope) Envelope { return Envelope{e.Ctx, e.Peer, Any} }},
		{"any source and tag", func(e Envelope) Envelope { return Envelope{e.Ctx, Any, Any} }},
	} {
		for _, depth := range []int{1, n} {
			b.Run(c.name+" of "+strconv.Itoa(depth), func(b *testing.B) {
				entries := make([]Entry[int], depth)
				for i := range entries {
					entries[i].Envelope = Envelope{Peer: int32(i % 997), Tag: int32(i % 1009)}
				}
				q := NewUnexpected[int]()
				b.ReportAllocs()
				for left := 0; b.Loop(); left-- {
					if left == 0 {
						for i := range entries {
							q.Add(&entries[i])
						}
						left = depth
					}
					q.Take(c.pattern(entries[left*7919%depth].Envelope))
				}
			})
		}
	}
}
