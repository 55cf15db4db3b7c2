package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// sink is a place that several streams write to, one write at a time. After the first error it swallows everything:
// the job is told and ends.
type sink struct {
	mu      sync.Mutex
	w       io.Writer
	failed  bool
	onError func(error)
}

func (s *sink) write(b []byte) {
	if len(b) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed {
		return
	}
	if _, err := s.w.Write(b); err != nil {
		s.failed = true
		s.onError(err)
	}
}

// stream carries one output of one rank to its sink.
type stream struct {
	pipe   *os.File // read end
	to     *sink
	closed chan struct{}

	mu sync.Mutex
	splitter
	ready []byte // scratch
	hold
}

// outputs are all streams of a job and the files they may be written to.
type outputs struct {
	streams []*stream
	files   []*os.File
	out     *sink
	err     *sink
}

// newOutputs prepares the sinks; ranks are added by open.
func newOutputs(job *Job, onError func(error)) *outputs {
	o := &outputs{
		out: &sink{w: job.Stdout, onError: onError},
		err: &sink{w: job.Stderr, onError: onError},
	}
	if sameWriter(job.Stdout, job.Stderr) {
		o.err = o.out
	}
	return o
}

func sameWriter(a, b io.Writer) bool {
	return reflect.TypeOf(a).Comparable() && reflect.TypeOf(b).Comparable() && a == b
}

// open makes the pipes of one rank and returns their write ends for the child; the caller closes them after the fork.
// onClosed is called when a stream has ended.
func (o *outputs) open(job *Job, rank int, mem *memory, onClosed func()) (out, err *os.File, openErr error) {
	toOut, toErr, openErr := o.sinksOf(job, rank)
	if openErr != nil {
		return nil, nil, openErr
	}
	direct := job.size() == 1
	if out, openErr = o.pipe(job, rank, "stdout", toOut, direct, nil, onClosed); openErr != nil {
		return nil, nil, openErr
	}
	errName := "stderr"
	if job.Output.MergeStderr {
		errName, toErr = "stdout", toOut
	}
	if err, openErr = o.pipe(job, rank, errName, toErr, direct, mem, onClosed); openErr != nil {
		out.Close()
		return nil, nil, openErr
	}
	return out, err, nil
}

func (o *outputs) pipe(job *Job, rank int, name string, to *sink, direct bool, mem *memory, onClosed func()) (*os.File, error) {
	near, far, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("cannot make a pipe for rank %d: %w%s", rank, err, descriptorHint(err))
	}
	f := format{job.Output.Tag, job.Output.Timestamp}
	s := &stream{
		splitter: splitter{format: f, rank: rank, stream: name, direct: direct && f.plain()},
		pipe:     near,
		to:       to,
		hold:     hold{memory: mem, allowed: to == o.out || to == o.err},
		closed:   make(chan struct{}),
	}
	o.streams = append(o.streams, s)
	go s.carry(onClosed)
	return far, nil
}

// sinksOf returns where rank's output goes: the job's writers, or files of its own.
func (o *outputs) sinksOf(job *Job, rank int) (out, err *sink, openErr error) {
	out, err = o.out, o.err
	patterns := job.Output
	if patterns.Dir != "" {
		dir := filepath.Join(patterns.Dir, "rank."+strconv.Itoa(rank))
		if openErr = os.MkdirAll(dir, 0o777); openErr != nil {
			return nil, nil, fmt.Errorf("cannot make the output directory: %w", openErr)
		}
		escaped := strings.ReplaceAll(dir, "%", "%%")
		patterns.OutPattern, patterns.ErrPattern = filepath.Join(escaped, "stdout"), filepath.Join(escaped, "stderr")
		if patterns.MergeStderr {
			patterns.ErrPattern = ""
		}
	}
	if patterns.OutPattern != "" {
		if out, openErr = o.file(patterns.OutPattern, rank); openErr != nil {
			return nil, nil, openErr
		}
	}
	if patterns.ErrPattern != "" {
		if err, openErr = o.file(patterns.ErrPattern, rank); openErr != nil {
			return nil, nil, openErr
		}
	}
	return out, err, nil
}

// file opens an output file for appending after it was emptied, so that ranks sharing one file keep whole lines.
func (o *outputs) file(pattern string, rank int) (*sink, error) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	name := expandPattern(pattern, rank)
	if rank == 0 || name != expandPattern(pattern, 0) {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot write the output of rank %d: %w%s", rank, err, descriptorHint(err))
	}
	o.files = append(o.files, f)
	return &sink{w: f, onError: o.err.onError}, nil
}

// expandPattern replaces %r by the rank and %% by a percent sign; anything else stays.
func expandPattern(pattern string, rank int) string {
	return strings.NewReplacer("%%", "%", "%r", strconv.Itoa(rank)).Replace(pattern)
}

// carry moves the stream until its end. A read deadline, set by finish, means: take what is there and stop.
func (s *stream) carry(onClosed func()) {
	defer onClosed()
	defer close(s.closed)
	defer s.pipe.Close()
	buf := make([]byte, 8<<10)
	for {
		n, err := s.pipe.Read(buf)
		s.take(buf[:n])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.takeWhatIsThere(buf)
		}
		if err != nil {
			s.finishLine()
			return
		}
		if n == len(buf) && n < lineMax {
			buf = make([]byte, 2*len(buf)) // a talkative stream earns a larger buffer
		}
	}
}

// take passes data on, or keeps it back when the rank is crashing; see hold.
func (s *stream) take(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, kept := s.keep(data, s.release)
	s.pass(before)
	if !kept {
		s.pass(s.letGo())
	}
}

// release passes on what was kept back.
func (s *stream) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass(s.letGo())
	if s.over {
		s.to.write(s.end(s.ready[:0], time.Now()))
	}
}

// finishLine passes on an unfinished last line, now or with what is kept back.
func (s *stream) finishLine() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if !s.holding {
		s.to.write(s.end(s.ready[:0], time.Now()))
	}
}

// pass writes what is ready of data. The caller holds mu.
func (s *stream) pass(data []byte) {
	s.ready = s.add(s.ready[:0], data, time.Now())
	s.to.write(s.ready)
}

// takeWhatIsThere empties the pipe without waiting. The bound stops a process that escaped and writes on and on.
func (s *stream) takeWhatIsThere(buf []byte) {
	const most = 1 << 20
	raw, err := s.pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = s.pipe.SetReadDeadline(time.Time{})
	for taken := 0; taken < most; {
		n := 0
		err := raw.Read(func(fd uintptr) bool {
			n, _ = unix.Read(int(fd), buf)
			return true
		})
		if err != nil || n <= 0 {
			return
		}
		s.take(buf[:n])
		taken += n
	}
}

// finish ends all streams although somebody may still hold their write ends. What has been written is carried;
// patience is how long the next byte is waited for.
func (o *outputs) finish(patience time.Duration) {
	for _, s := range o.streams {
		_ = s.pipe.SetReadDeadline(time.Now().Add(patience))
	}
	for _, s := range o.streams {
		<-s.closed
		s.release()
	}
	for _, f := range o.files {
		f.Close()
	}
}
