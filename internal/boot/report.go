package boot

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
)

// report is what a rank leaves behind in the directory of WEFT_REPORT.
type report struct {
	Rank, Size int
	Host       string
	Engine     engine.Counters
	Rail       *rail.Report `json:",omitempty"`
	Commons    progress.CommonsCounters
	Plans      progress.PlanCounters
	Windows    progress.RMACounters
	Pages      pages.Counters
	Waits      clock.Learned
	HeapBytes  uint64 // of the Go runtime: live and dead objects
	SysBytes   uint64 // obtained from the system
}

// Windows tells how the operations on windows that have been freed, and all packets and transfers, travelled.
func (r *Rank) Windows() (n progress.RMACounters) {
	r.loop.Locked(func() { n = *r.loop.RMA() })
	return n
}

// writeReport writes the rank's counters if WEFT_REPORT asks for it, into a directory that is made if it is missing.
func (r *Rank) writeReport() error {
	if r.report == "" {
		return nil
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	host, _ := os.Hostname()
	rep := report{Rank: r.place.rank, Size: r.place.size, Host: host, HeapBytes: m.HeapAlloc, SysBytes: m.Sys}
	rep.Engine, rep.Rail = r.Counters()
	rep.Commons = r.loop.Commons()
	rep.Plans = r.loop.Plans()
	rep.Windows = r.Windows()
	rep.Pages = r.pages.Counters()
	rep.Waits = r.loop.Learned()
	text, err := json.MarshalIndent(&rep, "", "\t")
	if err != nil {
		return err
	}
	if err = os.MkdirAll(r.report, 0o755); err == nil {
		err = os.WriteFile(filepath.Join(r.report, fmt.Sprintf("rank-%d.json", r.place.rank)), append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("WEFT_REPORT: %w", err)
	}
	return nil
}
