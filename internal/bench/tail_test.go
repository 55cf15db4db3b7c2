package bench

import (
	"strings"
	"testing"
)

func TestTailKeepsTheEnd(t *testing.T) {
	var kept Tail
	if got := kept.Quoted(); got != "" {
		t.Errorf("an empty tail says %q", got)
	}
	for range 100 {
		if n, err := kept.Write([]byte(strings.Repeat("x", 99) + "\n")); n != 100 || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if _, err := kept.Write([]byte("the cause")); err != nil {
		t.Fatal(err)
	}
	if got := kept.Quoted(); len(got) > tailBytes+40 || !strings.HasSuffix(got, "the cause") {
		t.Errorf("kept %d bytes ending in %q", len(got), got[len(got)-20:])
	}
}
