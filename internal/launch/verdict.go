package launch

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/pmi"
)

// verdict is what the end of one rank means for the job.
type verdict struct {
	code    int    // exit code of the job, should this be the first abnormal end; 0 means a normal end
	endsJob bool   // the others cannot go on, or should not
	why     string // what the exit code alone does not tell, "" otherwise
}

// judge applies the rules of exit codes to a rank that ended as s when it stood to the others as d:
//
//   - a signal is a crash: it ends the job with 128 + its number;
//   - leaving between init and finalize, or before init while others wait inside, ends the job with the rank's own
//     code, or 1 where that is 0, since the others would wait forever;
//   - any other exit lets the others go on; a code other than 0 becomes the job's.
//
// A rank that has explained itself, by a panic or an error that mpi.Main has got, has not forgotten Finalize.
func judge(s status, d pmi.Departure, explained bool) verdict {
	v := verdict{code: s.exitCode(), endsJob: s.signal != 0 || d != pmi.Harmless}
	switch {
	case d == pmi.Unfinalised && !explained:
		v.why = "without Finalize"
	case d == pmi.NeverJoined:
		v.why = "before Init, while other ranks wait for it there"
	}
	if v.endsJob && v.code == 0 {
		v.code = CodeFailure
	}
	return v
}

// severity orders ends that are found at the same moment: the likelier cause first. A rank killed by a signal or a
// panic comes before one that gave up because a peer was gone, and that before one that left quietly.
func severity(s status, panicked bool) int {
	switch {
	case s.signal != 0:
		return 0
	case s.code != 0 && panicked:
		return 1
	case s.code != 0:
		return 2
	}
	return 3
}

// abortCode is the job's exit code after a rank asked to abort with code: its low byte, but never the 0 of success.
func abortCode(code int) int {
	if low := code & 0xff; low != 0 {
		return low
	}
	return CodeFailure
}

// obituary is the line that names the culprit.
func obituary(rank, pid int, host string, s status, why string) string {
	text := fmt.Sprintf("rank %d (pid %d on %s) %v", rank, pid, host, s)
	if why != "" {
		text += " " + why
	}
	return text
}
