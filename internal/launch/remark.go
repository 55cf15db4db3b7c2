package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// Remark is one thing that a launcher says to its user, for a program to read: docs/reference/events.md lists them.
type Remark struct {
	Time  string `json:"time"`
	Level string `json:"level"` // info, warning or error
	Event string `json:"event"` // what has happened, in one word
	Rank  *int   `json:"rank,omitempty"`
	Host  string `json:"host,omitempty"`
	Pid   int    `json:"pid,omitempty"`  // on the host
	Code  *int   `json:"code,omitempty"` // exit code of the rank, or of the job
	Text  string `json:"text"`           // the same in words
}

// The levels of remarks.
const (
	levelInfo    = "info"
	levelWarning = "warning"
	levelError   = "error"
)

// Line is the remark in JSON, with an end of line.
func (m Remark) Line() []byte {
	m.Text = strings.TrimRight(m.Text, "\n")
	line, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return append(line, '\n')
}

// NewRemark is a remark of now.
func NewRemark(level, event, text string) Remark {
	return Remark{Time: time.Now().Format(timeLayout), Level: level, Event: event, Text: text}
}

// WarningOf and ErrorOf are what the program around a launcher says.
func WarningOf(text string) Remark { return NewRemark(levelWarning, "remark", text) }

// ErrorOf is a remark about a job that could not be set up, or could not go on.
func ErrorOf(text string) Remark { return NewRemark(levelError, "error", text) }

// about makes a remark about rank i.
func (r *run) about(i int, level, event, format string, args ...any) Remark {
	m := NewRemark(level, event, fmt.Sprintf(format, args...))
	m.Rank, m.Host, m.Pid = &i, r.ranks[i].host.name, r.ranks[i].pid
	return m
}

// withCode adds to a remark about rank i how it has ended.
func (r *run) withCode(m Remark) Remark {
	code := r.ranks[*m.Rank].status.exitCode()
	m.Code = &code
	return m
}

// remark says something: everything that a launcher says passes here. For people every first line names it.
func (r *run) remark(m Remark) {
	text := "weft: " + m.Text
	switch {
	case r.job.LogJSON:
		r.out.err.write(m.Line())
	case r.job.Output.Tag == TagJSON:
		r.out.err.write(appendJSON(nil, -1, "launcher", time.Now(), []byte(text), true))
	default:
		r.out.err.write([]byte(strings.TrimRight(text, "\n") + "\n"))
	}
}

// record is remark for what only programs are told: people see it anyway, or do not want to know.
func (r *run) record(m Remark) {
	if r.job.LogJSON {
		r.remark(m)
	}
}

// say makes a remark that is about no rank.
func (r *run) say(level, event, format string, args ...any) {
	r.remark(NewRemark(level, event, fmt.Sprintf(format, args...)))
}

// sayOf makes a remark about rank i.
func (r *run) sayOf(i int, level, event, format string, args ...any) {
	r.remark(r.about(i, level, event, format, args...))
}

// sayOfHost makes a remark about a host that is lost.
func (r *run) sayOfHost(h *host, format string, args ...any) {
	m := NewRemark(levelError, "host", fmt.Sprintf(format, args...))
	if r.survives() {
		m.Level = levelWarning
	}
	m.Host = h.name
	r.remark(m)
}

// tellUser is say for what is neither good nor bad.
func (r *run) tellUser(format string, args ...any) { r.say(levelInfo, "note", format, args...) }

// recordStart tells programs that rank i runs.
func (r *run) recordStart(i int) {
	r.record(r.about(i, levelInfo, "start", "rank %d (pid %d on %s) has started", i, r.ranks[i].pid, r.ranks[i].host.name))
}

// recordJob tells programs that the job begins, and returns what tells them that it has ended.
func (r *run) recordJob() (over func(code int)) {
	m := NewRemark(levelInfo, "job", fmt.Sprintf("a job of %d ranks on %d hosts begins", len(r.ranks), len(r.hosts)))
	m.Host, m.Pid = r.self, os.Getpid()
	r.record(m)
	return func(code int) {
		m := NewRemark(levelInfo, "end", fmt.Sprintf("the job has ended with code %d", code))
		m.Host, m.Pid, m.Code = r.self, os.Getpid(), &code
		r.record(m)
	}
}
