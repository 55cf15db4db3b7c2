package pmi

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatRanks writes ranks as compact runs: 0,1,2,3,7 becomes "0-3,7", and 1,4,7,10 "1-10+3", so
// that ranks in blocks and ranks dealt in turn take a few bytes however many they are. The order is
// kept; no rank is "".
func FormatRanks(ranks []int) string {
	var b []byte
	for len(ranks) > 0 {
		if b != nil {
			b = append(b, ',')
		}
		n, step := firstRun(ranks)
		b = strconv.AppendInt(b, int64(ranks[0]), 10)
		if n > 1 {
			b = strconv.AppendInt(append(b, '-'), int64(ranks[n-1]), 10)
		}
		if step > 1 {
			b = strconv.AppendInt(append(b, '+'), int64(step), 10)
		}
		ranks = ranks[n:]
	}
	return string(b)
}

// firstRun is how many of the first ranks are step apart. Two ranks are a run only if they are neighbours.
func firstRun(ranks []int) (n, step int) {
	if len(ranks) == 1 || ranks[1] <= ranks[0] {
		return 1, 1
	}
	step = ranks[1] - ranks[0]
	for n = 2; n < len(ranks) && ranks[n]-ranks[n-1] == step; n++ {
	}
	if n == 2 && step > 1 {
		return 1, 1
	}
	return n, step
}

// ParseRanks reads what FormatRanks writes. Every rank must lie in [0, size), and there may be at most size of them.
func ParseRanks(text string, size int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var ranks []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, step, err := parseRun(part, size)
		if err == nil && len(ranks)+(high-low)/step+1 > size {
			err = fmt.Errorf("more than %d", size)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: ranks %q: %w", ErrLine, clip(text), err)
		}
		for r := low; r <= high; r += step {
			ranks = append(ranks, r)
		}
	}
	return ranks, nil
}

// parseRun reads FIRST, FIRST-LAST or FIRST-LAST+STEP.
func parseRun(text string, size int) (low, high, step int, err error) {
	ends, stride, strides := strings.Cut(text, "+")
	first, last, isRange := strings.Cut(ends, "-")
	if low, err = parseRank(first, size); err != nil {
		return 0, 0, 0, err
	}
	high, step = low, 1
	if isRange {
		high, err = parseRank(last, size)
	}
	if strides && err == nil {
		step, err = parseRank(stride, size)
	}
	if err == nil && (high < low || step < 1 || (high-low)%step != 0 || strides && !isRange) {
		err = fmt.Errorf("%q is no run of ranks", clip(text))
	}
	return low, high, step, err
}

func parseRank(text string, size int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) >= size {
		return 0, fmt.Errorf("%q is no rank of a job of %d", text, size)
	}
	return int(n), nil
}
