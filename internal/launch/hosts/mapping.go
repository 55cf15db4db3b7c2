package hosts

import (
	"fmt"
	"slices"
	"strings"
)

// block is a term of PMI_process_mapping: from host first on, hosts hosts have ranks ranks each.
type block struct{ first, hosts, ranks int }

// mappingMax is the longest value that every process manager and client can handle.
const mappingMax = 1000

// Mapping writes the host of each rank as the value of PMI_process_mapping: "(vector,(0,2,4))" is four ranks on host 0,
// then four on host 1. Readers start again at the first term when ranks are left over, so a pattern that repeats is
// written once. Where a mapping is too irregular for one value it says that every rank has a host of its own, which
// costs readers their shortcuts and nothing else.
func Mapping(node []int) string {
	var blocks []block
	for i := 0; i < len(node); {
		end := i
		for end < len(node) && node[end] == node[i] {
			end++
		}
		blocks = join(blocks, block{node[i], 1, end - i})
		i = end
	}
	for n := 1; n < len(blocks); n++ {
		if repeats(blocks[:n], node) {
			blocks = blocks[:n]
			break
		}
	}
	var b strings.Builder
	b.WriteString("(vector")
	for _, x := range blocks {
		fmt.Fprintf(&b, ",(%d,%d,%d)", x.first, x.hosts, x.ranks)
	}
	b.WriteString(")")
	if b.Len() > mappingMax {
		return fmt.Sprintf("(vector,(0,%d,1))", len(node))
	}
	return b.String()
}

// join appends x, or makes the last block longer where x continues it.
func join(blocks []block, x block) []block {
	if len(blocks) > 0 {
		last := &blocks[len(blocks)-1]
		if last.first+last.hosts == x.first && last.ranks == x.ranks {
			last.hosts++
			return blocks
		}
	}
	return append(blocks, x)
}

// repeats tells whether the blocks, read again and again, give the host of each rank.
func repeats(blocks []block, node []int) bool {
	once := expand(blocks)
	for i := range node {
		if node[i] != once[i%len(once)] {
			return false
		}
	}
	return true
}

// expand writes out the host of each rank for one reading of the blocks.
func expand(blocks []block) []int {
	var node []int
	for _, x := range blocks {
		for h := range x.hosts {
			node = append(node, slices.Repeat([]int{x.first + h}, x.ranks)...)
		}
	}
	return node
}
