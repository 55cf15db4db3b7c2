package vet

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// ignoreMark begins a comment that asks a check to be silent about its line, or about the line below if it
// stands alone:
//
//	//weft:ignore request the peer answers for it
const ignoreMark = "//weft:ignore "

// ignoredLines tells which checks are asked to be silent, by line.
func ignoredLines(fset *token.FileSet, file *ast.File) map[int][]string {
	lines := map[int][]string{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			rest, found := strings.CutPrefix(c.Text, ignoreMark)
			words := strings.Fields(rest)
			if !found || len(words) == 0 {
				continue
			}
			line := fset.Position(c.Pos()).Line
			for _, l := range []int{line, line + 1} {
				lines[l] = append(lines[l], strings.Split(words[0], ",")...)
			}
		}
	}
	return lines
}

func (u *unit) isIgnored(pos token.Pos) bool {
	return slices.Contains(u.ignored[u.line(pos)], u.pass.Analyzer.Name)
}
