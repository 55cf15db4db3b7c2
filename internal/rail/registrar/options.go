package registrar

import (
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/tune"
)

// Options are what can be chosen of a registrar.
type Options struct {
	RegEntries int // registrations that are kept; 0: none
	RegBytes   int // bytes of them, or tune.Auto
	Reuse      Reuse
}

// Reuse says how short messages from buffers that are used again and again are sent.
type Reuse struct {
	On      bool
	Spec    float64 // share of the break-even count at which a buffer counts as frequently used; 0: with its second use
	Adapt   float64 // share of buffers in frequent use below which no more are counted; 0: they always are
	Waits   bool    // also where a blocking send then waits for an answer of the peer's device
	Buckets int     // of the table; 0: as package reuse has it
	Index   reuse.Index
	// Thresholds is asked once how often a buffer must be used to be worth registering; nil measures it.
	Thresholds func() reuse.Thresholds
}

// Defaults are the options of a job whose user says nothing.
func Defaults() Options {
	return Options{RegEntries: regcache.DefaultEntries, RegBytes: tune.Auto,
		Reuse: Reuse{On: true, Spec: reuse.DefaultSpeculate, Adapt: reuse.DefaultAdapt}}
}

// Rows are the options as settings.
func (o *Options) Rows() []tune.Row {
	r := &o.Reuse
	return []tune.Row{
		tune.Count("WEFT_LAB_REGCACHE", &o.RegEntries, 0, 1<<20, "registrations of user memory that are kept for the next message; 0 keeps none"),
		tune.BytesOrAuto("WEFT_LAB_REGCACHE_BYTES", &o.RegBytes, 0, 1<<40, "bytes of them; auto: 64M, and where adapters pin memory the rank's share of a quarter of the host's, but no more than half of what it may lock"),
		tune.Switch("WEFT_LAB_REUSE", &r.On, "send short messages from where the program has them, without a copy first, if a buffer is used often: on, off"),
		tune.Switch("WEFT_LAB_REUSE_WAITS", &r.Waits, "do so in blocking sends, too, where these then wait until the peer's adapter has the message: on, off"),
		tune.Share("WEFT_LAB_REUSE_SPEC", &r.Spec, "share of the uses that would pay for a registration after which a buffer counts as used often"),
		tune.Share("WEFT_LAB_REUSE_ADAPT", &r.Adapt, "stop looking at new buffers when fewer than this share are used often"),
		tune.Enum("WEFT_LAB_REUSE_TABLE", &r.Index, []string{"hash", "tree"}, "how buffers are remembered: hash, tree"),
		r.costs(),
	}
}

// costs is the row for Thresholds.
func (r *Reuse) costs() tune.Row {
	word := "measured"
	row := tune.Word("WEFT_LAB_REUSE_COSTS", &word, "how many uses pay for a registration: measured (on this host, with the first message), paper (as on the platform of the original experiments)",
		"measured", "paper")
	return tune.Then(row, func() {
		if r.Thresholds = nil; word == "paper" {
			r.Thresholds = reuse.PaperThresholds
		}
	})
}
