package launch

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// depot is the programs of a job on an agent's host: where they are, or the copies of them that arrive.
type depot struct {
	dir   string // for copies; made with the first one, readable by this user alone
	guard *watchdog
	known map[int]*arrival
}

// arrival is one program, there or on its way.
type arrival struct {
	want frame.Program
	path string   // once it is there
	file *os.File // while it arrives
	hash hash.Hash
	size int
}

func newDepot() *depot { return &depot{known: map[int]*arrival{}} }

// programsMax bounds the programs of one job.
const programsMax = 1024

// onProgram looks for a program here and says whether it has to be sent.
func (d *depot) onProgram(m *frame.Program, say func(frame.Message)) error {
	if d.known[m.ID] != nil || len(d.known) >= programsMax || !filepath.IsAbs(m.Path) || len(m.Sum) != sha256.Size {
		return fmt.Errorf("%w: a program that makes no sense", frame.ErrFrame)
	}
	p := &arrival{want: *m, hash: sha256.New()}
	d.known[m.ID] = p
	if m.Upload {
		return nil
	}
	state := frame.Missing
	if m.Name != "" {
		if path, err := exec.LookPath(m.Name); err == nil {
			p.path, state = path, frame.Ready
		}
	}
	if p.path == "" {
		state = p.compare()
	}
	say(&frame.Found{ID: m.ID, State: state})
	return nil
}

// compare looks at the file that has the program's path here. Between this look and its start,
// strangers must not be able to put something else in its place: a file that they can change does
// not count, whatever is in it now. Who can change it at the launcher is none, since the user runs
// it there all the same.
func (p *arrival) compare() int {
	info, err := os.Stat(p.want.Path)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return frame.Missing
	}
	p.path = p.want.Path // good enough should the launcher not send another
	if info.Size() != int64(p.want.Size) {
		return frame.Differs
	}
	who, err := writersOf(p.want.Path)
	if err != nil || !who.within(writers{users: p.want.Users, groups: p.want.Groups}) {
		return frame.Differs
	}
	f, err := os.Open(p.want.Path)
	if err != nil {
		return frame.Differs // it can be run but not read; the launcher's is surely right
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || !bytes.Equal(sum.Sum(nil), p.want.Sum) {
		return frame.Differs
	}
	return frame.Ready
}

// onPiece takes the next part of a program. The last one makes it executable, if it is the one that was promised.
func (d *depot) onPiece(m *frame.Piece, say func(frame.Message)) error {
	p := d.known[m.ID]
	if p == nil {
		return fmt.Errorf("%w: a piece of no program", frame.ErrFrame)
	}
	err := d.take(p, m.Data)
	if err != nil {
		return fmt.Errorf("cannot keep a copy of %s: %w", p.want.Path, err)
	}
	if len(m.Data) > 0 {
		return nil
	}
	state := frame.Ready
	if p.size != p.want.Size || !bytes.Equal(p.hash.Sum(nil), p.want.Sum) {
		state = frame.Differs
	}
	say(&frame.Found{ID: m.ID, State: state})
	return nil
}

func (d *depot) take(p *arrival, data []byte) (err error) {
	if p.file == nil {
		if p.size > 0 {
			return errors.New("it came twice")
		}
		if p.file, err = d.create(p); err != nil {
			return err
		}
	}
	if len(data) == 0 {
		p.path = p.file.Name()
		err = p.file.Close()
		p.file = nil
		return err
	}
	if p.size += len(data); p.size > p.want.Size {
		return errors.New("it is longer than announced")
	}
	p.hash.Write(data)
	_, err = p.file.Write(data)
	return err
}

// create makes the file for a copy, in a directory of its own so that it keeps its name.
func (d *depot) create(p *arrival) (*os.File, error) {
	if d.dir == "" {
		dir := filepath.Join(os.TempDir(), "weft-agent-"+newID())
		d.guard = startWatchdog(dir) // first: who is killed in between leaves nothing
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		d.dir = dir
	}
	sub := filepath.Join(d.dir, strconv.Itoa(p.want.ID))
	if err := os.Mkdir(sub, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(sub, filepath.Base(p.want.Path)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
}

// path returns where a program is.
func (d *depot) path(id int) (string, error) {
	p := d.known[id]
	if p == nil || p.path == "" {
		return "", fmt.Errorf("program %d has not come", id)
	}
	return p.path, nil
}

// close removes the copies.
func (d *depot) close() {
	for _, p := range d.known {
		if p.file != nil {
			p.file.Close()
		}
	}
	if d.dir != "" {
		os.RemoveAll(d.dir)
		d.dir = ""
	}
	d.guard.release()
	d.guard = nil
}
