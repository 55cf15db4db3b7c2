package bench

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The expected texts follow the published output of the OSU micro-benchmarks: a size in ten columns, fields of
// eighteen, two decimals.
func TestOSUText(t *testing.T) {
	for _, tc := range []struct {
		name string
		osu  OSU
		rows []Row
		want []string
	}{
		{"latency", OSU{Test: mustFind("latency")}, []Row{{Size: 0, Value: 0.21}, {Size: 4 * mib, Value: 412.774}}, []string{
			"# OSU MPI Latency Test v7.0",
			"# Size          Latency (us)",
			"0                       0.21",
			"4194304               412.77",
		}},
		{"bandwidth", OSU{Test: mustFind("bw")}, []Row{{Size: 1, Value: 3.45}, {Size: 4 * mib, Value: 23012.88}}, []string{
			"# OSU MPI Bandwidth Test v7.0",
			"# Size      Bandwidth (MB/s)",
			"1                       3.45",
			"4194304             23012.88",
		}},
		{"message rate", OSU{Test: mustFind("mbw_mr"), Ranks: 30, Window: 64}, []Row{{Size: 1, Value: 6.39, Rate: 6385003.80}}, []string{
			"# OSU MPI Multiple Bandwidth / Message Rate Test v7.0",
			"# [ pairs: 15 ] [ window size: 64 ]",
			"# Size                  MB/s        Messages/s",
			"1                       6.39        6385003.80",
		}},
		{"collective", OSU{Test: mustFind("allreduce")}, []Row{{Size: 4, Value: 11.69}}, []string{
			"",
			"# OSU MPI Allreduce Latency Test v7.0",
			"# Size       Avg Latency(us)",
			"4                      11.69",
		}},
		{"full and checked", OSU{Test: mustFind("bcast"), Full: true, Validate: true},
			[]Row{{Size: 8, Value: 1.5, Min: 0.5, Max: 2.25, Iterations: 1000, Valid: Pass}}, []string{
				"",
				"# OSU MPI Broadcast Latency Test v7.0",
				"# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations        Validation",
				"8                       1.50              0.50              2.25        1000              Pass",
			}},
		{"barrier", OSU{Test: mustFind("barrier"), Full: true}, []Row{{Value: 4.91, Min: 4, Max: 5, Iterations: 1000}}, []string{
			"",
			"# OSU MPI Barrier Latency Test v7.0",
			"# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations",
			"             4.91              4.00              5.00        1000",
		}},
	} {
		var out strings.Builder
		tc.osu.To = &out
		if err := tc.osu.Header(); err != nil {
			t.Fatal(err)
		}
		for _, row := range tc.rows {
			if err := tc.osu.Row(row); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(strings.Join(tc.want, "\n")+"\n", out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// Acceptance scripts of computing centres look for these two patterns.
func TestOSUTextOfACheckedRunIsFound(t *testing.T) {
	var out strings.Builder
	osu := OSU{To: &out, Test: mustFind("latency"), Validate: true}
	if err := osu.Header(); err != nil {
		t.Fatal(err)
	}
	if err := osu.Row(Row{Size: 8, Value: 0.257, Valid: Pass}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^8.*Pass`).MatchString(out.String()) {
		t.Errorf("no validated row in\n%s", out.String())
	}
	if m := regexp.MustCompile(`(?m)^8\s+(\S+)`).FindStringSubmatch(out.String()); m == nil || m[1] != "0.26" {
		t.Errorf("value %v in\n%s", m, out.String())
	}
}
