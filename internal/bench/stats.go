package bench

import (
	"math"
	"slices"
)

// Summary is the distribution of a handful of samples.
type Summary struct {
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Max    float64 `json:"max"`
	Count  int     `json:"count"`
}

// Summarize returns the order statistics of samples, which it leaves alone. Quartiles interpolate linearly
// between the two nearest samples. No samples give the zero Summary, recognisable by Count 0.
func Summarize(samples []float64) Summary {
	if len(samples) == 0 {
		return Summary{}
	}
	sorted := slices.Clone(samples)
	slices.Sort(sorted)
	return Summary{
		Min:    quantile(sorted, 0),
		Q1:     quantile(sorted, 0.25),
		Median: quantile(sorted, 0.5),
		Q3:     quantile(sorted, 0.75),
		Max:    quantile(sorted, 1),
		Count:  len(sorted),
	}
}

// Median returns the middle of samples, which it leaves alone; 0 when there are none.
func Median(samples []float64) float64 { return Summarize(samples).Median }

// quantile wants at least one sample.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	part := at - float64(below)
	return sorted[below]*(1-part) + sorted[above]*part
}

// GeometricMean returns the mean of ratios, which are positive: twice and half make 1. No ratios give 0.
func GeometricMean(ratios []float64) float64 {
	if len(ratios) == 0 {
		return 0
	}
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}

// Ratios divides ours by theirs, sample by sample: both lists hold one value per round. Rounds in which either
// side has no positive value are left out.
func Ratios(ours, theirs []float64) []float64 {
	n := min(len(ours), len(theirs))
	ratios := make([]float64, 0, n)
	for i := range n {
		if ours[i] > 0 && theirs[i] > 0 {
			ratios = append(ratios, ours[i]/theirs[i])
		}
	}
	return ratios
}
