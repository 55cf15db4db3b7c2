// Package spell owns the hint in an error about a word that nobody knows: which words may have been meant.
// It knows nothing of what the words are for.
package spell

import (
	"fmt"
	"slices"
	"strings"
)

// far is from how many changes on a word is another word.
const far = 3

// Hint names up to most of the names that are close to word, the closest first, for the end of an error's
// sentence; it is empty if none is.
func Hint(word string, names []string, most int) string {
	type near struct {
		name string
		away int
	}
	var all []near
	for _, n := range names {
		if d := distance(word, n); d < far && d < len(n) {
			all = append(all, near{n, d})
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.away - b.away })
	var close []string
	for _, n := range all[:min(len(all), most)] {
		close = append(close, n.name)
	}
	return fmt.Sprintf(" (did you mean %s?)", strings.Join(close, ", "))
}

// distance counts the insertions, deletions and replacements that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
