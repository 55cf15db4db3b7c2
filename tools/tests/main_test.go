package main

import (
	"slices"
	"strings"
	"testing"
)

// TestReport: what go test -json says becomes what go test says: lines of packages, and what failing tests
// have said, also of those that a panic has ended.
func TestReport(t *testing.T) {
	const events = `
{"Action":"start","Package":"m/weft/a"}
{"Action":"output","Package":"m/weft/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"m/weft/a","Test":"TestGood","Output":"    a_test.go:1: quiet\n"}
{"Action":"pass","Package":"m/weft/a","Test":"TestGood","Elapsed":1.5}
{"Action":"output","Package":"m/weft/a","Test":"TestBad/part","Output":"    a_test.go:2: loud\n"}
{"Action":"fail","Package":"m/weft/a","Test":"TestBad/part","Elapsed":0.5}
{"Action":"output","Package":"m/weft/a","Test":"TestBad","Output":"=== RUN   TestBad\n"}
{"Action":"output","Package":"m/weft/a","Test":"TestBad","Output":"--- FAIL: TestBad (0.60s)\n"}
{"Action":"fail","Package":"m/weft/a","Test":"TestBad","Elapsed":0.6}
{"Action":"output","Package":"m/weft/a","Test":"TestPanics","Output":"panic: here\n"}
{"Action":"output","Package":"m/weft/a","Output":"FAIL\tm/weft/a\t2.1s\n"}
{"Action":"fail","Package":"m/weft/a","Elapsed":2.1}
{"Action":"output","Package":"m/weft/b","Output":"PASS\n"}
{"Action":"output","Package":"m/weft/b","Output":"ok  \tm/weft/b\t0.1s\n"}
{"Action":"pass","Package":"m/weft/b","Elapsed":0.1}
{"Action":"build-output","ImportPath":"m/weft/c","Output":"c.go:1: undefined: x\n"}
go: a line of go's own
`
	var b strings.Builder
	r := newReport(&b)
	if err := r.read(strings.NewReader(events[1:])); err != nil {
		t.Fatal(err)
	}
	want := `    a_test.go:2: loud
--- FAIL: TestBad (0.60s)
FAIL	m/weft/a	2.1s
panic: here
ok  	m/weft/b	0.1s
c.go:1: undefined: x
go: a line of go's own
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if want := []took{{1.5, "a", "TestGood"}, {0.6, "a", "TestBad"}}; !slices.Equal(r.took, want) {
		t.Errorf("times %v, want %v", r.took, want)
	}
}
