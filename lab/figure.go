package lab

import (
	"fmt"
	"strings"
)

// How says by which means a figure can be made again.
type How byte

// The ways to make a figure.
const (
	OnHost      How = 'H' // measured on this host, wall clock
	OnFabric    How = 'F' // measured on a simulated fabric, virtual time
	Application How = 'A' // needs an application kernel, on a simulated fabric
	FromTrace   How = 'T' // drawn from a recorded trace, a test or the code itself
	Never       How = 'N' // needs data from outside
)

// String names the way in words.
func (h How) String() string {
	switch h {
	case OnHost:
		return "measured on this host"
	case OnFabric:
		return "measured on a simulated fabric"
	case Application:
		return "measured with an application kernel"
	case FromTrace:
		return "drawn from traces, tests or the code"
	case Never:
		return "needs data from outside"
	}
	return "unknown"
}

// Figure is one figure or table of a document: what it shows, what the document says about it, and what a result of
// ours must show.
type Figure struct {
	ID       string // F3.3 for the first document, 003.F4 for the others
	Title    string
	Axes     string   // what is drawn against what
	Platform string   // short names of machines, see Platforms
	How      string   // letters of How, the preferred one first
	Claims   []string // what the document's text states
	Bars     []string // what a result must show
	Same     string   // the id of the figure whose experiment this one shares, or nothing
}

// Document is the number of the document that the figure is in.
func (f Figure) Document() string {
	if doc, _, ok := strings.Cut(f.ID, "."); ok && len(doc) == 3 {
		return doc
	}
	return "000"
}

// Table tells whether the figure is a table.
func (f Figure) Table() bool {
	return strings.HasPrefix(strings.TrimPrefix(f.ID, f.Document()+"."), "T")
}

// Place says where the figure stands in its document: the section that speaks of it, and its number.
func (f Figure) Place() string {
	number := strings.TrimPrefix(f.ID, f.Document()+".")
	word := "figure"
	if f.Table() {
		word = "table"
	}
	return fmt.Sprintf("document %s, section %s, %s %s", f.Document(), sections[f.ID], word, number[1:])
}

// Claimed lists the claims of the document that a bar holds: the one it points at, or all if it points at none.
func (f Figure) Claimed(c Check) []string {
	var claims []string
	for _, claim := range f.Claims {
		if strings.Contains(claim, c.Claim) {
			claims = append(claims, claim)
		}
	}
	return claims
}

// Can tells whether the figure can be made in a way.
func (f Figure) Can(h How) bool { return strings.IndexByte(f.How, byte(h)) >= 0 }

// Ways lists the ways in words, the preferred one first.
func (f Figure) Ways() []string {
	var ways []string
	for i := range len(f.How) {
		ways = append(ways, How(f.How[i]).String())
	}
	return ways
}

// Document is one of the research documents.
type Document struct{ ID, Title, Authors string }

// Documents lists them.
func Documents() []Document {
	return []Document{
		{"000", "Improving Message-Passing Performance and Scalability in High-Performance Clusters", "M. J. Rashti, thesis, 2010"},
		{"001", "Exploiting application buffer reuse to improve MPI small message transfer protocols over RDMA-enabled networks", "M. J. Rashti and A. Afsahi, 2011"},
		{"002", "Design and Evaluation of Efficient Collective Communications on Modern Interconnects and Multi-core Clusters", "Y. Qian, thesis, 2010"},
		{"003", "Assessing the Ability of Computation/Communication Overlap and Communication Progress in Modern Interconnects", "M. J. Rashti and A. Afsahi, 2007"},
		{"004", "High-Performance and Scalable MPI over InfiniBand with Reduced Memory Usage: An In-Depth Performance Analysis", "S. Sur, M. J. Koop and D. K. Panda, 2006"},
	}
}
