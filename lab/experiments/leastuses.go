package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/lab"
)

var leastUsesExperiment = lab.Experiment{
	ID: "T5.3",
	Explain: [2]string{
		"Registering a buffer takes R once, and then saves a copy C less a search V with each use. It pays after more than R / (C - V) uses: hundreds for short buffers, some thirty for 8 KB. Below 64 B a search costs more than the copy, and no number of uses pays.",
		"R, C and V are measured as the library does with its first message, on the model of the document's machine or on this host. The document's other columns are for paths on which the copy was cheaper by alignment; here a copy is a copy, and the column of the fast path is what is compared. The model's costs were derived from this very table and from the 15% that one copy of 8 KB is said to be worth (F5.1): that its rows come out shows that one set of costs explains them, not more. The library itself also counts the end of a registration, which is some day to come; the last column is with it.",
	},
	Run: leastUses,
}

// leastUses computes the table from prices.
func leastUses(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("T5.3")
	on := b.Setups("IB2")[0]
	costs, err := b.Prices(ctx, on, false)
	if err != nil {
		return nil, err
	}
	whole, err := b.Prices(ctx, on, true)
	if err != nil {
		return nil, err
	}
	paper := reuse.PaperThresholds()[reuse.Fast]
	t := r.AddTable("Least uses for a registration to pay", "size", "document, fast path", "ours", "register", "copy", "search", "with its end")
	line := r.AddPanel("Least uses for a registration to pay", lab.Bytes, lab.Axis{Label: "uses", Scale: lab.Log}).Line(on.Label)
	for c, size := range leastSizes {
		p, n := costs.At(size), costs.Uses(size)
		t.Add(sizeText(size), fmt.Sprint(paper[c]), uses(n), micro(p.Register), micro(p.Copy), micro(costs.Search), uses(whole.Uses(size)))
		if n > 0 {
			line.Add(float64(size), float64(n))
		}
		r.Panels[0].ClaimAt("", float64(size), float64(paper[c]))
		if on.On.Virtual() {
			r.Hold(lab.Fitted, lab.Within("fast path, "+sizeText(size), float64(paper[c]), float64(n), 10, "uses").By("register_us", "register_page_us", "copy_us_per_kb"))
		}
	}
	r.Hold(lab.Structural, lab.Falling("uses fall with the size", line, 0)) // a price by pages divided by one by bytes
	shortest := 1
	for shortest < 512 && costs.Uses(shortest) == 0 {
		shortest++
	}
	r.Hold(lab.Fitted, lab.Within("the shortest message that ever pays", 64, float64(shortest), 10, "B").By("search_us"))
	return r, nil
}

// leastSizes are the rows of the document's table.
var leastSizes = []int{512, 1 << 10, 2 << 10, 3 << 10, 4 << 10, 5 << 10, 6 << 10, 7 << 10, 8 << 10}

func sizeText(n int) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%d KB", n>>10)
}

func uses(n uint32) string {
	if n == 0 {
		return "never"
	}
	return fmt.Sprint(n)
}

func micro(nano float64) string { return fmt.Sprintf("%.3f us", nano/1e3) }
