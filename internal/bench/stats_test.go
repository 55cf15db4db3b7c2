package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSummarize(t *testing.T) {
	for _, tc := range []struct {
		name    string
		samples []float64
		want    Summary
	}{
		{"none", nil, Summary{}},
		{"one", []float64{7}, Summary{7, 7, 7, 7, 7, 1}},
		{"two", []float64{4, 2}, Summary{2, 2.5, 3, 3.5, 4, 2}},
		{"five", []float64{5, 1, 4, 2, 3}, Summary{1, 2, 3, 4, 5, 5}},
		{"outlier", []float64{1, 1, 1, 1, 1000}, Summary{1, 1, 1, 1, 1000, 5}},
	} {
		if diff := cmp.Diff(tc.want, Summarize(tc.samples)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestSummarizeIsOrderedAndLeavesItsInputAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 40).Draw(t, "samples")
		before := slices.Clone(samples)
		s := Summarize(samples)
		if !slices.Equal(before, samples) {
			t.Fatal("the samples were reordered")
		}
		order := []float64{s.Min, s.Q1, s.Median, s.Q3, s.Max}
		if !slices.IsSorted(order) {
			t.Fatalf("not in order: %v", order)
		}
		below := 0
		for _, v := range samples {
			if v <= s.Median {
				below++
			}
		}
		if below < len(samples)/2 {
			t.Fatalf("only %d of %d samples are at most the median %g", below, len(samples), s.Median)
		}
	})
}

func TestRatiosPairRoundsAndDropBrokenOnes(t *testing.T) {
	got := Ratios([]float64{1, 0, 3, 8, 9}, []float64{2, 5, 0, 4})
	if want := []float64{0.5, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A ratio of medians would say 1.0 here; the ratios within rounds know that we are always twice as fast.
func TestRatioWithinRoundsSurvivesADriftingHost(t *testing.T) {
	ours := []float64{1, 2, 4, 8, 16}
	theirs := []float64{2, 4, 8, 16, 32}
	if got := Median(Ratios(ours, theirs)); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("median ratio %g, want 0.5", got)
	}
}
