package tuner

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Shape is how many ranks each node has.
type Shape []int

// ErrShape is the class of errors about the text of a shape.
var ErrShape = errors.New("this is no shape")

// mostRanks bounds a shape.
const mostRanks = 1 << 14

// EvenShape puts ranks on nodes, side by side, as many on each as on the others; the last may have fewer.
func EvenShape(ranks, nodes int) (s Shape) {
	each := (ranks + nodes - 1) / nodes
	for ; ranks > 0; ranks -= each {
		s = append(s, min(each, ranks))
	}
	return s
}

// ParseShape reads NODESxRANKS, such as 3x2, the ranks of each node, such as 3+1+2, or both, such as 2x4+1.
func ParseShape(text string) (s Shape, err error) {
	for part := range strings.SplitSeq(text, "+") {
		nodes, each, many := strings.Cut(part, "x")
		if !many {
			nodes, each = "1", part
		}
		n, errNodes := strconv.Atoi(nodes)
		k, errEach := strconv.Atoi(each)
		if errNodes != nil || errEach != nil || n < 1 || k < 1 || n > mostRanks || k > mostRanks || s.Ranks()+n*k > mostRanks {
			return nil, fmt.Errorf("%w: %q; write NODESxRANKS, such as 3x2, or the ranks of each node, such as 3+1+2; there are up to %d", ErrShape, text, mostRanks)
		}
		for range n {
			s = append(s, k)
		}
	}
	return s, nil
}

// Ranks is how many there are.
func (s Shape) Ranks() (sum int) {
	for _, n := range s {
		sum += n
	}
	return sum
}

// String is the shape as ParseShape reads it.
func (s Shape) String() string {
	var words []string
	for i := 0; i < len(s); {
		n := 1
		for i+n < len(s) && s[i+n] == s[i] {
			n++
		}
		if n == 1 && len(s) > 1 {
			words = append(words, strconv.Itoa(s[i]))
		} else {
			words = append(words, fmt.Sprintf("%dx%d", n, s[i]))
		}
		i += n
	}
	return strings.Join(words, "+")
}

// place returns the node of a rank and its place there.
func (s Shape) place(rank int) (node, at int) {
	for node < len(s)-1 && rank >= s[node] {
		rank -= s[node]
		node++
	}
	return node, rank
}
