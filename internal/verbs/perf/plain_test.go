package perf

import (
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	for _, test := range Tests() {
		for _, name := range []string{test.Name, "ib_" + test.Name} {
			if got, err := Find(name); err != nil || got.Name != test.Name {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
	}
	if _, err := Find("send"); err == nil || !strings.Contains(err.Error(), "send_lat") {
		t.Errorf("got %v", err)
	}
}

func TestRowsOfAPlan(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	for name, p := range map[string]Plan{
		"latency":   {Test: find(t, "send_lat"), Iterations: 25},
		"bandwidth": {Test: find(t, "send_bw"), Iterations: 25},
		"duration":  {Test: find(t, "send_lat"), Iterations: 25, Duration: time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			s := dial(t, server, Local{Open: noDevice, Gentle: true})
			p.Way, p.Sizes, p.QPs = tcpWay, []int{1, 1000}, []int{1}
			if err := p.Complete(); err != nil {
				t.Fatal(err)
			}
			var rows []Row
			err := s.RunPlan(t.Context(), p, func(r Row) error { rows = append(rows, r); return nil })
			if err != nil || len(rows) != 2 {
				t.Fatalf("%v, %+v", err, rows)
			}
			for i, r := range rows {
				if r.Size != p.Sizes[i] || r.Value() <= 0 || p.Duration == 0 && r.Iterations != 25 || r.Iterations < 1 {
					t.Errorf("row %+v", r)
				}
			}
			var text strings.Builder
			if err := p.Header(&text); err != nil {
				t.Fatal(err)
			}
			if err := p.Row(&text, rows[1]); err != nil || !strings.Contains(text.String(), "\n1000 ") {
				t.Errorf("%v\n%s", err, text.String())
			}
			s.Close()
		})
	}
}

func find(t *testing.T, name string) Test {
	t.Helper()
	test, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

func TestIterationsStayReasonable(t *testing.T) {
	for _, shape := range []Shape{PingPong, Stream} {
		for size := 1; size <= 8*mib; size *= 2 {
			for _, n := range []int{defaultIterations(shape, size, 1), roundIterations(shape, size)} {
				if n < 16 || n > 5000 || n*size > 1024*mib {
					t.Errorf("%s of %d bytes: %d iterations", shape, size, n)
				}
			}
			if each := batchIterations(defaultIterations(shape, size, 1)); each < 1 {
				t.Errorf("%s of %d bytes: batches of %d", shape, size, each)
			}
		}
	}
}

func TestEmptyPlans(t *testing.T) {
	if err := (&Plan{Way: tcpWay}).Complete(); err == nil {
		t.Error("a plan without sizes was accepted")
	}
}
