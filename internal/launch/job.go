package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/launch/ssh"
	"github.com/weft-mpi/weft/internal/sched"
)

// Bounds of Job.HostTimeout. It is cut into beats and told to agents in milliseconds.
const (
	hostTimeoutMin = 100 * time.Millisecond
	hostTimeoutMax = 1e8 * time.Second
)

// Exit codes of a job that ranks did not choose.
const (
	CodeFailure       = 1   // a rank left the others in the lurch with exit code 0, or the job could not be set up
	CodeTimeout       = 110 // Job.Timeout expired
	CodeHostLost      = 111 // a host of the job, or its agent, is gone
	CodeNotExecutable = 126 // a program exists but cannot be run
	CodeNotFound      = 127 // a program does not exist
	codeSignal        = 128 // plus the number of the signal
)

// RanksMax bounds the number of ranks on one host, JobMax that of a job; they catch slips of the keyboard before those
// catch the host.
const (
	RanksMax = 4096
	JobMax   = 1 << 16
)

// Spec is one program of a job and how often to start it.
type Spec struct {
	N    int      // number of ranks
	Argv []string // program as the user wrote it, and its arguments; see Run for what a program may be
	Env  []string // environment as NAME=value; nil means the launcher's own
	Dir  string   // working directory; "" means the launcher's own

	// RemoteEnv are the variables of ranks on other hosts, in addition to those that they find there.
	RemoteEnv []string
}

// Where standard input goes, when not to a rank.
const (
	StdinAll  = -1 // a copy to every rank
	StdinNone = -2 // end of file for everyone
)

// Job says what to run and how. The zero value of every field but Specs is a sensible default.
type Job struct {
	Specs []Spec // ranks are numbered through the specs in order

	Stdin   *os.File  // nil means none
	StdinTo int       // rank that reads Stdin (the others read end of file), StdinAll or StdinNone
	Stdout  io.Writer // where ranks' standard output goes; nil discards it
	Stderr  io.Writer // where ranks' standard error and the launcher's messages go; nil discards them
	Output  Output

	Timeout     time.Duration // end the job after this time; 0 means never
	StackTraces bool          // on timeout let Go ranks print their goroutines first
	Grace       time.Duration // from SIGTERM to SIGKILL when the job is told to end; 0 means 5 s
	CrashGrace  time.Duration // the same when the job ends because a rank failed; 0 means 1 s

	Bind           Bind // which CPUs ranks may use
	ReportBindings bool // print them
	Recover        bool // go on when ranks die, once all have said that they can live with that
	PrintExitCodes bool // print every rank's end when the job is over
	NoCompatEnv    bool // leave out the variables other MPI launchers set

	LogJSON bool // what the launcher says is one Remark in JSON a line, and it says more

	// Metrics is the address at which the numbers of the job can be had by HTTP, with MetricsToken as the
	// token that clients must know; see metrics.Listen. "" means nowhere.
	Metrics      string
	MetricsToken []byte

	// Desk is the directory with a socket at which the user asks what the job does; see desk.Home. "" means none.
	Desk string

	Reach // other hosts

	// Segment makes the file that all n ranks of this host inherit as shared memory, named to them by WEFT_SHM_FD. The
	// job closes it when the ranks have started. nil means no shared memory. Agents make it for their hosts.
	Segment func(n int) (*os.File, error)

	// Signals brings the signals that the job is to act on. nil means those of this process.
	Signals <-chan os.Signal
}

// Reach says where ranks run and how other hosts are reached. The zero value means that all run here.
type Reach struct {
	Hosts []hosts.Host // nil means this host alone; see hosts.Here for which of them is this one
	Node  []int        // host of each rank, as an index into Hosts

	Starter *sched.Starter // a scheduler's command that runs others on its hosts; nil means ssh

	SSH     []string // command that runs words on a host named after its own; nil means ssh with sensible options
	SSHArgs []string // more words for it
	SSHPort int      // where ssh servers listen that do not say otherwise; 0 leaves it to ssh
	Agent   string   // path of weft on other hosts; "" means any of its names there
	Version string   // of this weft, to be compared with theirs

	WaitHosts   time.Duration // how long to try again when a host does not answer; 0 means once
	HostTimeout time.Duration // how long a host may be silent before it is given up; 0 means 5 s
	Stage       Stage         // whether programs are copied to other hosts

	// FanOut is how many agents are started from here; each of them starts as many more, and so on, and what is said to
	// those passes through it. 0 chooses by the number of hosts, see fanOut; Star starts all from here.
	FanOut int

	names      []string      // of weft on other hosts; nil means those of ssh.Names
	helloLimit time.Duration // from the start of ssh to the agent's greeting; 0 means 30 s
}

// Tag says how a line of output names its rank.
type Tag int

// The tags.
const (
	TagNone    Tag = iota
	TagRank        // "[3] line"
	TagOpenMPI     // "[1,3]<stdout>:line"
	TagJSON        // one JSON object per line: rank, stream, time, line
)

// Output says what becomes of the ranks' output.
type Output struct {
	Tag         Tag
	Timestamp   bool   // put the time in front of every line
	MergeStderr bool   // treat standard error as standard output
	Dir         string // write Dir/rank.R/stdout and Dir/rank.R/stderr instead of Job.Stdout and Job.Stderr
	OutPattern  string // write standard output to this file instead; %r is the rank, %% a percent sign
	ErrPattern  string // the same for standard error
}

func (j *Job) size() int {
	n := 0
	for _, s := range j.Specs {
		n += s.N
	}
	return n
}

// check refuses what cannot be run and fills in defaults.
func (j *Job) check() error {
	if len(j.Specs) == 0 {
		return errors.New("nothing to run: name a program")
	}
	for _, s := range j.Specs {
		if len(s.Argv) == 0 || s.Argv[0] == "" {
			return errors.New("nothing to run: name a program")
		}
		if s.N < 1 || s.N > JobMax {
			return fmt.Errorf("cannot start %d ranks of %s: from 1 to %d are possible", s.N, s.Argv[0], JobMax)
		}
	}
	n := j.size()
	if err := j.checkHosts(n); err != nil {
		return err
	}
	if j.StdinTo < StdinNone || j.StdinTo >= n {
		return fmt.Errorf("cannot send standard input to rank %d of a job of %d", j.StdinTo, n)
	}
	if j.Stdout == nil {
		j.Stdout = io.Discard
	}
	if j.Stderr == nil {
		j.Stderr = io.Discard
	}
	if j.Grace <= 0 {
		j.Grace = 5 * time.Second
	}
	if j.CrashGrace <= 0 {
		j.CrashGrace = time.Second
	}
	if j.HostTimeout == 0 {
		j.HostTimeout = 5 * time.Second
	}
	if err := CheckHostTimeout(j.HostTimeout); err != nil {
		return err
	}
	if j.FanOut < Star {
		return fmt.Errorf("a host cannot start %d agents", j.FanOut)
	}
	if j.helloLimit <= 0 {
		j.helloLimit = 30 * time.Second
	}
	return nil
}

// CheckHostTimeout refuses what cannot be a Job's HostTimeout.
func CheckHostTimeout(d time.Duration) error {
	if d < hostTimeoutMin || d > hostTimeoutMax {
		return fmt.Errorf("a host cannot be given up after %v of silence: from %v to %v are possible", d, hostTimeoutMin, hostTimeoutMax)
	}
	return nil
}

// agents returns the names under which an agent may be found, in the order to try them.
func (j *Job) agents() []string {
	switch {
	case j.Agent != "":
		return []string{j.Agent}
	case j.names != nil:
		return j.names
	}
	own, _ := os.Executable() // without it there is still the name that everybody has
	return ssh.Names(own)
}

// checkHosts refuses more ranks than hosts can have, and a placement that does not fit the job.
func (j *Job) checkHosts(n int) error {
	if n > JobMax {
		return fmt.Errorf("cannot start %d ranks: at most %d are possible", n, JobMax)
	}
	if len(j.Hosts) == 0 {
		if n > RanksMax {
			return fmt.Errorf("cannot start %d ranks: at most %d are possible on one host", n, RanksMax)
		}
		return nil
	}
	if len(j.Node) != n {
		return fmt.Errorf("%d of %d ranks have a host", len(j.Node), n)
	}
	count := make([]int, len(j.Hosts))
	for rank, i := range j.Node {
		if i < 0 || i >= len(j.Hosts) {
			return fmt.Errorf("rank %d is on host %d of %d", rank, i, len(j.Hosts))
		}
		if count[i]++; count[i] > RanksMax {
			return fmt.Errorf("cannot start more than %d ranks on host %s", RanksMax, j.Hosts[i].Name)
		}
	}
	return nil
}
