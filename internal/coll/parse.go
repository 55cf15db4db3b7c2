package coll

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads rules, separated by commas or ends of lines; what follows a # up to the end of the line is a comment:
//
//	operation[:bytes[:ranks]][:condition]...=algorithm
//
// such as
//
//	allreduce=ring
//	bcast:64K-:8-=binomial,alltoall=pairwise
//	barrier:*:3-64:crowded=flat
//
// The operation is a name of Ops, the algorithm one of its ways, with or
// without the operation in front. Bytes and ranks are ranges that include both
// ends: 8, 8-64, 8-, -64, or * for any; bytes may carry K, M or G. Bytes are
// those of Case.Size: the vector, or one rank's block. Conditions are crowded
// (more ranks on a host than cores) or roomy, commutative or ordered, and a word
// with a range: nodes2- (on two nodes or more), local4 (four ranks on the fullest node), rails2-
// (rails between nodes), spread8- (ranks arrive that many messages' time apart).
// Spaces around pieces and empty rules are ignored. The first rule that matches
// and whose algorithm fits is used.
func Parse(text string) ([]Rule, error) {
	var rules []Rule
	for piece := range strings.FieldsFuncSeq(uncommented(text), func(r rune) bool { return r == ',' || r == '\n' }) {
		piece = strings.TrimSpace(piece)
		if piece == "" {
			continue
		}
		r, err := parseRule(piece)
		if err != nil {
			return nil, fmt.Errorf("coll: rule %q: %w", piece, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// uncommented returns the text without its comments.
func uncommented(text string) string {
	var w strings.Builder
	for line := range strings.Lines(text) {
		rule, _, commented := strings.Cut(line, "#")
		w.WriteString(rule)
		if commented {
			w.WriteByte('\n')
		}
	}
	return w.String()
}

func parseRule(text string) (Rule, error) {
	r := everything(0, "")
	when, way, found := strings.Cut(text, "=")
	if !found {
		return r, fmt.Errorf("no '=': write operation=algorithm, such as allreduce=ring")
	}
	pieces := strings.Split(when, ":")
	for i := range pieces {
		pieces[i] = strings.TrimSpace(pieces[i])
	}
	op, known := ParseOp(pieces[0])
	if !known {
		return r, fmt.Errorf("no operation %q; there are %s", pieces[0], strings.Join(opNames[:], ", "))
	}
	r.Op = op
	way = strings.TrimPrefix(strings.TrimSpace(way), op.String()+"/")
	r.Algorithm = op.String() + "/" + way
	if _, known := Find(r.Algorithm); !known {
		return r, fmt.Errorf("no algorithm %q for %s; there are %s", way, op, ways(op))
	}
	return r, r.parseConditions(pieces[1:])
}

// parseConditions reads what stands behind the operation: ranges first, words
// anywhere.
func (r *Rule) parseConditions(pieces []string) (err error) {
	ranges := 0
	for _, piece := range pieces {
		switch piece {
		case "crowded":
			r.Crowded = Yes
			continue
		case "roomy":
			r.Crowded = No
			continue
		case "commutative":
			r.Commutative = Yes
			continue
		case "ordered":
			r.Commutative = No
			continue
		}
		if named, err := r.parsePlace(piece); named {
			if err != nil {
				return err
			}
			continue
		}
		switch ranges++; ranges {
		case 1:
			r.Bytes, err = parseRange(piece, true)
		case 2:
			r.Ranks, err = parseRange(piece, false)
		default:
			err = fmt.Errorf("%q is one range too many: bytes and ranks are all", piece)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parsePlace reads a range that is named by a word, and reports whether it is one.
func (r *Rule) parsePlace(piece string) (named bool, err error) {
	for _, n := range places {
		if rest, found := strings.CutPrefix(piece, n.word); found {
			asked, err := parseRange(rest, false)
			if err == nil && rest == "" {
				err = fmt.Errorf("%q has no range: write %s2, %s2-4 or %s2-", piece, n.word, n.word, n.word)
			}
			*n.of(r) = asked
			return true, err
		}
	}
	return false, nil
}

func parseRange(text string, bytes bool) (Range, error) {
	if text == "*" || text == "" {
		return anything, nil
	}
	from, to, isRange := strings.Cut(text, "-")
	if text == "-" {
		return Range{}, fmt.Errorf("range %q has no end; write * for any", text)
	}
	r := anything
	var err error
	if from != "" {
		if r.From, err = parseNumber(from, bytes); err != nil {
			return r, err
		}
	}
	switch {
	case !isRange:
		r.To = r.From
	case to != "":
		if r.To, err = parseNumber(to, bytes); err != nil {
			return r, err
		}
		if r.To < r.From {
			return r, fmt.Errorf("range %q ends before it begins", text)
		}
	}
	return r, nil
}

func parseNumber(text string, bytes bool) (int, error) {
	digits, unit := text, 1
	for _, u := range units {
		if bytes && text[len(text)-1] == u.letter {
			digits, unit = text[:len(text)-1], u.bytes
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || n > uint64(math.MaxInt/unit) {
		if bytes {
			return 0, fmt.Errorf("%q is not a number of bytes, such as 512, 64K or 1M", text)
		}
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return int(n) * unit, nil
}
