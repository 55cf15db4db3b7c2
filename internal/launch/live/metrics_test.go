package live

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// sampleLine is a line with a value as Prometheus reads it.
var sampleLine = regexp.MustCompile(`^([a-z][a-z0-9_]*)(\{[a-z]+="([^"\\\n]|\\[\\"n])*"(,[a-z]+="([^"\\\n]|\\[\\"n])*")*\})? [0-9.e+-]+$`)

// Every line is one of the format, every metric has its help and its type before its samples, and appears once.
func TestMetrics(t *testing.T) {
	j := job(3, 2)
	j.Host, j.Launcher.Version = "a \"b\"\\\n", "v1"
	j.Ranks[1].Silent = true
	j.Ranks[2].Counts, j.Ranks[2].Age = nil, nil
	text := string(Metrics(j))
	seen, current := map[string]bool{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, help := strings.CutPrefix(line, "# HELP "); help {
			current, _, _ = strings.Cut(name, " ")
			if seen[current] {
				t.Errorf("%s twice", current)
			}
			seen[current] = true
		} else if kind, typed := strings.CutPrefix(line, "# TYPE "); typed {
			want := current + " gauge"
			if strings.HasSuffix(current, "_total") {
				want = current + " counter"
			}
			if kind != want {
				t.Errorf("%q, want %q", kind, want)
			}
		} else if m := sampleLine.FindStringSubmatch(line); m == nil || m[1] != current {
			t.Errorf("%q is no sample of %s", line, current)
		}
	}
	for _, want := range []string{`weft_job_info{job="4711",host="a \"b\"\\\n",version="v1"} 1`, "weft_job_ranks_alive 3", `weft_job_ranks{state="running"} 3`,
		`weft_rank_messages_sent_total{rank="1",host="h0"} 1001`, `weft_rank_answered{rank="1",host="h0"} 0`, `weft_rank_wait_seconds{rank="0",host="h0"} 12`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, `messages_sent_total{rank="2"`) {
		t.Error("a rank that has told nothing has numbers")
	}
}

// The page of all metrics is made from them.
func TestMetricsPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := ""
	for _, m := range AllMetrics() {
		row := fmt.Sprintf("| `%s` | %s | %s |\n", m.Name, m.Kind(), m.Help)
		rows += row
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/reference/metrics.md lacks %s", row)
		}
	}
	if n := strings.Count(string(page), "\n| `weft_"); n != len(AllMetrics()) {
		t.Errorf("the page has %d metrics, there are %d; it should have\n%s", n, len(AllMetrics()), rows)
	}
}
