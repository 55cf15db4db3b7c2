package meet

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/munge"
)

// Secret is how ranks of one user know each other. The leader offers a newcomer a ticket, from which nobody but a
// rank of the same user finds the secret out that both then use. about is what the two have said to each other so far.
type Secret interface {
	Offer(about []byte) (ticket, secret []byte, err error)
	Take(about, ticket []byte) (secret []byte, err error)
	// Admit says what is wrong with whoever is at the other end of a connection, before anything is said.
	Admit(net.Conn) error
}

// Key is a secret that all ranks have already. It needs no ticket.
type Key []byte

// keyLeast is how long a key must be, in bytes.
const keyLeast = 16

// KeyFile reads a key from a file that others must not be able to read. The blanks at its ends do not count.
func KeyFile(path string) (Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read key", Path: path, Err: errors.New("it is no file")}
	}
	if mode := info.Mode().Perm(); mode&0o007 != 0 {
		return nil, fmt.Errorf("everybody may use the key in %s, mode %04o: chmod 600 %s", path, mode, path)
	}
	text := make([]byte, 4096)
	n, err := f.Read(text)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	key := bytes.TrimSpace(text[:n])
	if len(key) < keyLeast {
		return nil, fmt.Errorf("the key in %s has %d bytes, and needs %d or more: head -c 32 /dev/urandom | base64 > %s", path, len(key), keyLeast, path)
	}
	return key, nil
}

// Offer returns the key.
func (k Key) Offer([]byte) (ticket, secret []byte, err error) { return nil, k, nil }

// Take returns the key.
func (k Key) Take(_, ticket []byte) ([]byte, error) {
	if len(ticket) > 0 {
		return nil, errors.New("the other end has no key file")
	}
	return k, nil
}

// Admit lets everybody try.
func (Key) Admit(net.Conn) error { return nil }

// Munge has the munge daemons of the hosts vouch: a ticket is a new secret that only the same user can open.
type Munge struct{ Daemon munge.Daemon }

// Offer seals a new secret.
func (m Munge) Offer(about []byte) (ticket, secret []byte, err error) {
	secret = make([]byte, 32)
	_, _ = rand.Read(secret) // never fails, by its documentation
	text, err := m.Daemon.Encode(append(digest(about), secret...), uint32(os.Getuid()))
	return []byte(text), secret, err
}

// Take opens it. It must have been made by the same user, and for this conversation.
func (m Munge) Take(about, ticket []byte) ([]byte, error) {
	payload, uid, err := m.Daemon.Decode(string(ticket))
	if err != nil {
		return nil, err
	}
	secret, ours := bytes.CutPrefix(payload, digest(about))
	if int(uid) != os.Getuid() || !ours || len(secret) != 32 {
		return nil, fmt.Errorf("what user %d has sealed is not for us", uid)
	}
	return secret, nil
}

// Admit lets everybody try.
func (Munge) Admit(net.Conn) error { return nil }

func digest(about []byte) []byte {
	sum := sha256.Sum256(about)
	return sum[:]
}

// SameUser trusts the kernel, which knows whose process is at the other end of a socket of this host. Its secret is
// none, and nobody can listen to such a connection.
type SameUser struct{}

// Offer offers nothing.
func (SameUser) Offer([]byte) (ticket, secret []byte, err error) {
	return nil, []byte("same user"), nil
}

// Take takes nothing.
func (SameUser) Take(_, _ []byte) ([]byte, error) { return []byte("same user"), nil }

// Admit asks the kernel.
func (SameUser) Admit(c net.Conn) error {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return errors.New("not a socket of this host")
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return err
	}
	var cred *unix.Ucred
	var asked error
	if err := raw.Control(func(fd uintptr) { cred, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return err
	}
	if asked != nil {
		return asked
	}
	if int(cred.Uid) != os.Getuid() {
		return fmt.Errorf("user %d is at the other end", cred.Uid)
	}
	return nil
}
