package doctor

import "fmt"

// Grade says how bad a finding is.
type Grade int

// The grades, in rising order.
const (
	OK   Grade = iota // as it should be
	Warn              // a job runs, but may be slow or break under load
	Fail              // a job does not run, or not there
)

var gradeNames = [...]string{OK: "ok", Warn: "warn", Fail: "fail"}

// String is the grade as it is printed.
func (g Grade) String() string {
	if g < 0 || int(g) >= len(gradeNames) {
		return fmt.Sprintf("Grade(%d)", int(g))
	}
	return gradeNames[g]
}

// MarshalText writes the grade as it is printed.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// Finding is one thing that was looked at.
type Finding struct {
	Grade Grade  `json:"grade"`
	Host  string `json:"host,omitempty"` // empty for what concerns several
	Check string `json:"check"`          // the name of the check
	Text  string `json:"text"`           // what is so
	Fix   string `json:"fix,omitempty"`  // what to do, unless all is well
}

// Report is all that an examination found.
type Report struct {
	Version  string    `json:"version"`
	Hosts    []Patient `json:"hosts"`
	Paths    []Path    `json:"paths,omitempty"`
	Findings []Finding `json:"findings"`
}

// Patient is one host that was examined. Facts is nil if it could not be reached.
type Patient struct {
	Name  string `json:"name"`
	Facts *Facts `json:"facts,omitempty"`
}

// Worst is the worst grade of the findings.
func (r *Report) Worst() Grade {
	worst := OK
	for _, f := range r.Findings {
		worst = max(worst, f.Grade)
	}
	return worst
}

// sheet collects findings of one host.
type sheet struct {
	host     string
	findings []Finding
}

func (s *sheet) ok(check, format string, args ...any) {
	s.findings = append(s.findings, Finding{OK, s.host, check, fmt.Sprintf(format, args...), ""})
}

func (s *sheet) warn(check, fix, format string, args ...any) {
	s.findings = append(s.findings, Finding{Warn, s.host, check, fmt.Sprintf(format, args...), fix})
}

func (s *sheet) fail(check, fix, format string, args ...any) {
	s.findings = append(s.findings, Finding{Fail, s.host, check, fmt.Sprintf(format, args...), fix})
}
