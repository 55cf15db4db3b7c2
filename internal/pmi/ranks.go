package pmi

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatRanks writes ranks as compact ranges: 0,1,2,3,7 becomes "0-3,7". The order is kept; no rank is "".
func FormatRanks(ranks []int) string {
	var b strings.Builder
	for i := 0; i < len(ranks); {
		last := i
		for last+1 < len(ranks) && ranks[last+1] == ranks[last]+1 {
			last++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(ranks[i]))
		if last > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(ranks[last]))
		}
		i = last + 1
	}
	return b.String()
}

// ParseRanks reads what FormatRanks writes. Every rank must lie in [0, size), and there may be at most size of them.
func ParseRanks(text string, size int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var ranks []int
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		low, err := parseRank(first, size)
		high := low
		if err == nil && isRange {
			high, err = parseRank(last, size)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: ranks %q: %w", ErrLine, clip(text), err)
		}
		if high < low || len(ranks)+high-low+1 > size {
			return nil, fmt.Errorf("%w: ranks %q: bad range in a job of %d", ErrLine, clip(text), size)
		}
		for r := low; r <= high; r++ {
			ranks = append(ranks, r)
		}
	}
	return ranks, nil
}

func parseRank(text string, size int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) >= size {
		return 0, fmt.Errorf("%q is no rank of a job of %d", text, size)
	}
	return int(n), nil
}
