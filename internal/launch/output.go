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
	pipe   io.ReadCloser // read end: an *os.File, or a mailbox for a rank on another host
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

// open begins to carry the two outputs of one rank, which fromOut and fromErr bring, until their ends;
// onClosed is called at each. It returns the stream of standard error. Both are closed in any case.
func (o *outputs) open(job *Job, rank int, fromOut, fromErr io.ReadCloser, mem *memory, onClosed func()) (*stream, error) {
	toOut, toErr, err := o.sinksOf(job, rank)
	if err != nil {
		fromOut.Close()
		fromErr.Close()
		return nil, err
	}
	errName := "stderr"
	if job.Output.MergeStderr {
		errName, toErr = "stdout", toOut
	}
	o.carry(job, rank, "stdout", fromOut, toOut, nil, onClosed)
	return o.carry(job, rank, errName, fromErr, toErr, mem, onClosed), nil
}

func (o *outputs) carry(job *Job, rank int, name string, from io.ReadCloser, to *sink, mem *memory, onClosed func()) *stream {
	f := format{job.Output.Tag, job.Output.Timestamp}
	s := &stream{
		splitter: splitter{format: f, rank: rank, stream: name, direct: job.size() == 1 && f.plain()},
		pipe:     from,
		to:       to,
		hold:     hold{memory: mem, allowed: to == o.out || to == o.err},
		closed:   make(chan struct{}),
	}
	o.streams = append(o.streams, s)
	go s.carry(onClosed)
	return s
}

// sinksOf returns where rank's output goes: the job's writers, or files of its own.
func (o *outputs) sinksOf(job *Job, rank int) (out, err *sink, openErr error) {
	if job.Output.Dir != "" {
		return o.inDirectory(job, rank)
	}
	out, err = o.out, o.err
	if pattern := job.Output.OutPattern; pattern != "" {
		if out, openErr = o.byPattern(pattern, rank); openErr != nil {
			return nil, nil, openErr
		}
	}
	if pattern := job.Output.ErrPattern; pattern != "" {
		if err, openErr = o.byPattern(pattern, rank); openErr != nil {
			return nil, nil, openErr
		}
	}
	return out, err, nil
}

// inDirectory opens the files of a rank in its own directory under Output.Dir.
func (o *outputs) inDirectory(job *Job, rank int) (out, err *sink, openErr error) {
	dir, openErr := o.rankFolder(job.Output.Dir, rank)
	if openErr != nil {
		return nil, nil, fmt.Errorf("cannot make the output directory: %w", openErr)
	}
	defer dir.Close()
	if out, openErr = o.file(dir, "stdout", rank, os.O_TRUNC); openErr != nil {
		return nil, nil, openErr
	}
	if job.Output.MergeStderr {
		return out, o.err, nil
	}
	err, openErr = o.file(dir, "stderr", rank, os.O_TRUNC)
	return out, err, openErr
}

// rankFolder makes and opens the directory of a rank's output.
func (o *outputs) rankFolder(path string, rank int) (folder, error) {
	path = filepath.Clean(path)
	above := filepath.Dir(path)
	if err := os.MkdirAll(above, 0o777); err != nil {
		return folder{}, err
	}
	parent, err := openFolder(above)
	if err != nil {
		return folder{}, err
	}
	defer parent.Close()
	dir, err := parent.sub(filepath.Base(path))
	if err != nil {
		return folder{}, err
	}
	defer dir.Close()
	return dir.sub("rank." + strconv.Itoa(rank))
}

// byPattern opens the file that a pattern names for a rank. Ranks that share one append to it after
// the first has emptied it.
func (o *outputs) byPattern(pattern string, rank int) (*sink, error) {
	flags := 0
	path := expandPattern(pattern, rank)
	if rank == 0 || path != expandPattern(pattern, 0) {
		flags = os.O_TRUNC
	}
	above, name := filepath.Split(path)
	dir, err := openFolder(filepath.Clean(above))
	if err != nil {
		return nil, fmt.Errorf("cannot write the output of rank %d: %w%s", rank, err, descriptorHint(err))
	}
	defer dir.Close()
	return o.file(dir, name, rank, flags)
}

// file opens an output file for appending, so that ranks sharing one file keep whole lines.
func (o *outputs) file(dir folder, name string, rank, flags int) (*sink, error) {
	f, err := dir.open(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|flags)
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
		if file, isFile := s.pipe.(*os.File); isFile && errors.Is(err, os.ErrDeadlineExceeded) {
			s.takeWhatIsThere(file, buf)
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

// remainsMax bounds what is taken from a pipe at the end: a process that escaped may write on and on.
const remainsMax = 1 << 20

// takeWhatIsThere empties the pipe without waiting.
func (s *stream) takeWhatIsThere(pipe *os.File, buf []byte) {
	for taken := 0; taken < remainsMax; {
		n, err := readNow(pipe, buf)
		if err != nil {
			return
		}
		s.take(buf[:n])
		taken += n
	}
}

// readNow reads what a pipe has, although its deadline may be over. Nothing, for whatever reason, is io.EOF.
func readNow(pipe *os.File, buf []byte) (n int, err error) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return 0, io.EOF
	}
	_ = pipe.SetReadDeadline(time.Time{})
	err = raw.Read(func(fd uintptr) bool {
		n, _ = unix.Read(int(fd), buf)
		return true
	})
	if err != nil || n <= 0 {
		return 0, io.EOF
	}
	return n, nil
}

// finish ends all streams although somebody may still hold their write ends. What has been written is carried;
// patience is how long the next byte is waited for. On other hosts the agents do the same.
func (o *outputs) finish(patience time.Duration) {
	for _, s := range o.streams {
		if file, isFile := s.pipe.(*os.File); isFile {
			_ = file.SetReadDeadline(time.Now().Add(patience))
		}
	}
	for _, s := range o.streams {
		<-s.closed
		s.release()
	}
	for _, f := range o.files {
		f.Close()
	}
}
