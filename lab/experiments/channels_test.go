package experiments

import (
	"context"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// The low watermark is what keeps the messages of a burst from finding no receive: without it they do.
func TestWatermarkIsOfUse(t *testing.T) {
	b, err := lab.NewBench(lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, low := range []int{lowWatermark, 0} {
		_, retries, err := watchBurst(context.Background(), b, b.Setups("IB5")[0], low, storms, new(lab.Series))
		if err != nil || (retries > 0) != (low == 0) {
			t.Errorf("low watermark %d: messages were tried again %d times; %v", low, retries, err)
		}
	}
}
