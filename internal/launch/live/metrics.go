package live

import (
	"fmt"
	"strconv"
	"strings"
)

// Metric is one number that Metrics tells.
type Metric struct {
	Name, Help string
	Counter    bool // it only grows; else it is a gauge
	of         func(j *Job) []sample
}

// sample is one value of a metric, with its labels.
type sample struct {
	labels string // {a="b"}, or none
	value  float64
}

// rankCounts are what ranks count, by the names they use.
var rankCounts = []struct {
	name, metric, help string
	counter            bool
}{
	{"sent", "messages_sent_total", "messages to other ranks, also of collectives", true},
	{"sent_bytes", "sent_bytes_total", "bytes of these", true},
	{"received", "messages_received_total", "messages that have arrived", true},
	{"received_bytes", "received_bytes_total", "bytes of these", true},
	{"eager", "messages_eager_total", "messages that travelled with their envelope", true},
	{"rendezvous", "messages_rendezvous_total", "messages that were agreed on first", true},
	{"announced", "messages_announced_total", "messages of collectives whose receiver said first where it wants them", true},
	{"speculated", "messages_speculated_total", "messages that were written at once, since their receiver had asked ahead", true},
	{"unexpected", "messages_unexpected_total", "messages that arrived before their receive", true},
	{"held", "messages_held_total", "messages that were held back because their receiver had too many", true},
	{"collectives", "collectives_total", "algorithms of collectives that were begun", true},
	{"window_packets", "window_packets_total", "packets for windows; counted when a window is freed", true},
	{"window_bytes", "window_bytes_total", "bytes of these", true},
	{"sleeps", "sleeps_total", "times that it polled for long in vain, and slept", true},
	{"connections_broken", "connections_broken_total", "connections to other hosts that broke", true},
	{"frames_resent", "frames_resent_total", "packets to other hosts that were sent again", true},
	{"memory", "memory_bytes", "memory of the process that is there, shared memory among it", false},
	{"go_heap", "go_heap_bytes", "objects of the Go program", false},
	{"go_memory", "go_memory_bytes", "all that Go's runtime has of the system", false},
	{"link_memory", "link_memory_bytes", "buffers for other hosts", false},
	{"unreceived", "unreceived_bytes", "what messages take that nobody has received yet", false},
}

// AllMetrics are what Metrics tells, in its order.
func AllMetrics() []Metric {
	one := func(f func(j *Job) float64) func(*Job) []sample {
		return func(j *Job) []sample { return []sample{{"", f(j)}} }
	}
	all := []Metric{
		{"weft_job_info", "the job: number, host of its launcher, version", false, func(j *Job) []sample {
			return []sample{{labels("job", strconv.Itoa(j.Pid), "host", j.Host, "version", j.Launcher.Version), 1}}
		}},
		{"weft_job_start_time_seconds", "when it began", false, one(func(j *Job) float64 { return float64(j.Started.UnixNano()) / 1e9 })},
		{"weft_job_ranks", "its ranks, by how far they are", false, func(j *Job) (all []sample) {
			for _, s := range []State{Starting, Running, Finished, Ended} {
				all = append(all, sample{labels("state", string(s)), float64(j.count(s))})
			}
			return all
		}},
		{"weft_job_ranks_alive", "ranks whose processes run", false, one(func(j *Job) float64 { return float64(len(j.Ranks) - j.count(Ended)) })},
		{"weft_job_deaths_total", "ranks that have died, and the others went on", true, one(func(j *Job) float64 { return float64(j.Deaths) })},
		{"weft_job_stalls_total", "reports that the job seems stuck", true, one(func(j *Job) float64 { return float64(j.Stalls) })},
		{"weft_job_ending", "1: the job is being ended", false, one(func(j *Job) float64 { return truth(j.Ending) })},
		{"weft_launcher_memory_bytes", "memory of the launcher", false, one(func(j *Job) float64 { return float64(j.Launcher.Memory) })},
		{"weft_launcher_cpu_seconds_total", "its processor time", true, one(func(j *Job) float64 { return j.Launcher.CPUSeconds })},
		{"weft_launcher_questions_total", "times that it has asked its ranks", true, one(func(j *Job) float64 { return float64(j.Launcher.Questions) })},
		{"weft_rank_alive", "1: its process runs", false, each(func(r *Rank) (float64, bool) { return truth(r.State != Ended), true })},
		{"weft_rank_answered", "1: it has answered this time", false, each(func(r *Rank) (float64, bool) { return truth(!r.Silent), r.State == Running })},
		{"weft_rank_age_seconds", "how old its numbers are", false, each(func(r *Rank) (float64, bool) {
			if r.Age == nil {
				return 0, false
			}
			return *r.Age, true
		})},
		{"weft_rank_waits", "calls that wait", false, each(func(r *Rank) (float64, bool) { return float64(len(r.Waits)), r.Counts != nil })},
		{"weft_rank_wait_seconds", "for how long the longest of these has been waiting", false, each(func(r *Rank) (longest float64, told bool) {
			for _, w := range r.Waits {
				longest = max(longest, w.Seconds)
			}
			return longest, r.Counts != nil
		})},
	}
	for _, c := range rankCounts {
		all = append(all, Metric{"weft_rank_" + c.metric, c.help, c.counter, each(func(r *Rank) (float64, bool) {
			n, told := r.Counts[c.name]
			return float64(n), told
		})})
	}
	return all
}

// each is a sample of every rank that has one.
func each(f func(r *Rank) (float64, bool)) func(*Job) []sample {
	return func(j *Job) (all []sample) {
		for i := range j.Ranks {
			if value, told := f(&j.Ranks[i]); told {
				all = append(all, sample{labels("rank", strconv.Itoa(j.Ranks[i].Rank), "host", j.Ranks[i].Host), value})
			}
		}
		return all
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// labels are names and values in the form of Prometheus.
func labels(namesAndValues ...string) string {
	var b strings.Builder
	for i := 0; i < len(namesAndValues); i += 2 {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.WriteString(namesAndValues[i] + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(namesAndValues[i+1]) + `"`)
	}
	return b.String() + "}"
}

// Metrics is the job in the text format of Prometheus, version 0.0.4.
func Metrics(j *Job) []byte {
	var b []byte
	for _, m := range AllMetrics() {
		samples := m.of(j)
		if len(samples) == 0 {
			continue
		}
		b = fmt.Appendf(b, "# HELP %s %s\n# TYPE %s %s\n", m.Name, m.Help, m.Name, m.Kind())
		for _, s := range samples {
			b = append(append(append(b, m.Name...), s.labels...), ' ')
			b = append(strconv.AppendFloat(b, s.value, 'g', -1, 64), '\n')
		}
	}
	return b
}

// Kind is counter or gauge.
func (m *Metric) Kind() string {
	if m.Counter {
		return "counter"
	}
	return "gauge"
}
