package sched

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// nodesMax bounds a list of hosts.
const nodesMax = 1 << 16

// NodeList expands a list of hosts as Slurm writes it: n[001-003,7],g[1-2]x[3-4],solo.
func NodeList(text string) ([]string, error) {
	var all []string
	for rest := text; ; {
		word, after, more := cutOutside(rest)
		names, err := expandName(word)
		if err == nil && len(all)+len(names) > nodesMax {
			err = fmt.Errorf("more than %d hosts", nodesMax)
		}
		if err != nil {
			return nil, fmt.Errorf("the list of hosts %.100q: %w", text, err)
		}
		all = append(all, names...)
		if !more {
			return all, nil
		}
		rest = after
	}
}

// cutOutside cuts at the first comma that is in no brackets.
func cutOutside(text string) (before, after string, found bool) {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth == 0:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// expandName expands the brackets of one word, the last ones varying fastest.
func expandName(word string) ([]string, error) {
	names := []string{""}
	for rest := word; rest != ""; {
		plain, inside, found := strings.Cut(rest, "[")
		if strings.ContainsAny(plain, "],") || !hostLetters(plain) {
			return nil, fmt.Errorf("%q is no host", word)
		}
		parts := []string{""}
		rest = ""
		if found {
			numbers, after, closed := strings.Cut(inside, "]")
			if !closed {
				return nil, fmt.Errorf("%q lacks a bracket", word)
			}
			var err error
			if parts, err = expandNumbers(numbers); err != nil {
				return nil, err
			}
			rest = after
		}
		if len(names)*len(parts) > nodesMax {
			return nil, fmt.Errorf("more than %d hosts", nodesMax)
		}
		next := make([]string, 0, len(names)*len(parts))
		for _, name := range names {
			for _, part := range parts {
				next = append(next, name+plain+part)
			}
		}
		names = next
	}
	if slices.Contains(names, "") || strings.HasPrefix(word, "-") {
		return nil, fmt.Errorf("%q is no host", word)
	}
	return names, nil
}

// hostLetters tells whether text may be part of a host's name.
func hostLetters(text string) bool {
	for i := range len(text) {
		c := text[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("._-", c) >= 0) {
			return false
		}
	}
	return true
}

// expandNumbers expands 001-003,7, keeping zeros in front.
func expandNumbers(text string) ([]string, error) {
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		low, err1 := strconv.ParseUint(first, 10, 31)
		high, err2 := strconv.ParseUint(last, 10, 31)
		if err1 != nil || err2 != nil || high < low || len(first) > 10 || high-low >= nodesMax || len(all)+int(high-low) >= nodesMax {
			return nil, fmt.Errorf("%.40q is no range of numbers", part)
		}
		for n := low; n <= high; n++ {
			all = append(all, fmt.Sprintf("%0*d", len(first), n))
		}
	}
	return all, nil
}

// Counts expands how many there are of something on each host, as Slurm writes it: 4,1(x2) is 4, 1, 1.
func Counts(text string) ([]int, error) {
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		number, times, repeated := strings.Cut(part, "(x")
		n, err := strconv.ParseUint(number, 10, 20)
		repeat := uint64(1)
		if repeated && err == nil {
			digits, closed := strings.CutSuffix(times, ")")
			repeat, err = strconv.ParseUint(digits, 10, 20)
			if !closed {
				err = strconv.ErrSyntax
			}
		}
		if err != nil || n < 1 || repeat < 1 || len(all)+int(repeat) > nodesMax {
			return nil, fmt.Errorf("%.40q of %.100q is no number, nor one such as 4(x2)", part, text)
		}
		all = append(all, slices.Repeat([]int{int(n)}, int(repeat))...)
	}
	return all, nil
}
