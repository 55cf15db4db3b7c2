package launch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// Stage says when programs are copied to other hosts.
type Stage int

// When programs are copied.
const (
	StageAuto   Stage = iota // where the host has none at the same path, another one, or one that strangers can change
	StageAlways              // to every host
	StageNever               // never: hosts must have them
)

// program is an executable of the job.
type program struct {
	path   string // absolute, on every host that has it
	source string // where its content is here
	name   string // as looked up in PATH; "" when the user gave a path
	built  bool   // compiled for this job: no other host can have it
	size   int
	sum    [sha256.Size]byte

	// trusted can change it here, where the user has chosen to run it.
	trusted writers
}

// describe finds out what other hosts compare.
func (p *program) describe() error {
	p.trusted, _ = writersOf(p.path) // where nobody can tell, nobody is trusted
	f, err := os.Open(p.source)
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, f)
	p.size = int(n)
	hash.Sum(p.sum[:0])
	return err
}

// setUp tells an agent about the job.
func (r *run) setUp(h *host) {
	h.link.put(&frame.Setup{
		Job: r.id, Size: len(r.ranks), Hosts: len(r.hosts), Node: h.node, Host: h.name, Ranks: h.ranks,
		Segment: r.job.Segment != nil, Compat: !r.job.NoCompatEnv, Bind: int(r.job.Bind), ReportBindings: r.job.ReportBindings,
		Silence: int(r.job.HostTimeout.Milliseconds()),
	})
}

// introduce makes sure that a host has the programs of its ranks.
func (r *run) introduce(ctx context.Context, h *host) error {
	asked := map[int]bool{}
	for _, i := range h.ranks {
		id := r.ranks[i].program
		if asked[id] {
			continue
		}
		asked[id] = true
		if err := r.provide(ctx, h, id); err != nil {
			return err
		}
	}
	return nil
}

// provide asks for one program and sends it if it is not there.
func (r *run) provide(ctx context.Context, h *host, id int) error {
	p := &r.programs[id]
	ask := frame.Program{ID: id, Path: p.path, Name: p.name, Size: p.size, Sum: p.sum[:],
		Upload: p.built || r.job.Stage == StageAlways, Users: p.trusted.users, Groups: p.trusted.groups}
	h.link.put(&ask)
	state := frame.Missing
	if !ask.Upload {
		found, err := h.link.await(ctx, id)
		if err != nil || found == frame.Ready {
			return err
		}
		state = found
	}
	if r.job.Stage == StageNever && !p.built {
		if state == frame.Differs {
			return nil // it is the user's wish
		}
		return startError(CodeNotFound, "host %s has no program %s; copy it there, or leave out --stage never", h.name, p.path)
	}
	if err := h.link.upload(ctx, id, p.source); err != nil {
		return err
	}
	found, err := h.link.await(ctx, id)
	if err == nil && found != frame.Ready {
		err = fmt.Errorf("host %s: program %s was changed while it was copied", h.name, p.path)
	}
	return err
}

// await waits for the answer about a program.
func (l *link) await(ctx context.Context, id int) (state int, err error) {
	select {
	case f := <-l.found:
		if f.ID != id {
			return 0, fmt.Errorf("host %s speaks of program %d instead of %d", l.host.name, f.ID, id)
		}
		return f.State, nil
	case <-l.dead:
		return 0, fmt.Errorf("host %s %w", l.host.name, l.err)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// upload sends a program, as fast as the connection takes it.
func (l *link) upload(ctx context.Context, id int, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { l.fail(ctx.Err()) })() // ends waitBelow
	buf := make([]byte, frame.PieceMax)
	for {
		n, err := f.Read(buf)
		if n > 0 {
			l.put(&frame.Piece{ID: id, Data: buf[:n]})
			l.out.waitBelow(16 * frame.PieceMax)
		}
		if errors.Is(err, io.EOF) {
			l.put(&frame.Piece{ID: id})
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-l.dead:
			return fmt.Errorf("host %s %w", l.host.name, l.err)
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
	}
}

// pathName is the name by which another host may know a program that was found in PATH here.
func pathName(argv0 string) string {
	if strings.ContainsRune(argv0, filepath.Separator) || IsGoPackage(argv0) {
		return ""
	}
	return argv0
}
