package meet

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
)

// Job is a rank's place. All ranks of a job have the same name and size, and no job has another's name.
type Job struct {
	Name string
	Rank int
	Size int
}

// How ranks greet: the newcomer sends hello, the leader its half and a ticket. Both know the secret then. The
// newcomer's first record says which rank it is, the leader's whether it may stay.
const (
	mark      = "WEFTMEET\x01" // and the number of the language
	nonceSize = 32
	nameSize  = 32
	helloSize = len(mark) + nonceSize + nameSize
	ticketMax = 16 << 10
)

// greetLimit is how long two ranks may take to greet, and hence how long a stranger is listened to.
const greetLimit = 10 * time.Second

func random() []byte {
	b := make([]byte, nonceSize)
	_, _ = rand.Read(b) // never fails, by its documentation
	return b
}

// errOther is a job of another name, or nobody of Weft's.
var errOther = errors.New("another job")

// Refused is a leader's answer to a rank that may not stay.
type Refused struct{ Text string }

func (r *Refused) Error() string { return "the leader says: " + r.Text }

// newcomer greets a leader.
func newcomer(c net.Conn, job Job, s Secret) (*records, error) {
	if err := errors.Join(c.SetDeadline(time.Now().Add(greetLimit)), s.Admit(c)); err != nil {
		return nil, err
	}
	name := sha256.Sum256([]byte(job.Name))
	about := append(append([]byte(mark), random()...), name[:]...)
	if _, err := c.Write(about); err != nil {
		return nil, err
	}
	half := make([]byte, len(mark)+nonceSize+2)
	if _, err := io.ReadFull(c, half); err != nil {
		return nil, err
	}
	if string(half[:len(mark)]) != mark {
		return nil, errOther
	}
	n := int(binary.BigEndian.Uint16(half[len(mark)+nonceSize:]))
	if n > ticketMax {
		return nil, fmt.Errorf("a ticket of %d bytes", n)
	}
	ticket := make([]byte, n)
	if _, err := io.ReadFull(c, ticket); err != nil {
		return nil, err
	}
	about = append(about, half[:len(mark)+nonceSize]...)
	secret, err := s.Take(about, ticket)
	if err != nil {
		return nil, err
	}
	r, err := seal(c, secret, about, false)
	if err != nil {
		return nil, err
	}
	if err := present(r, job); err != nil {
		return nil, err
	}
	return r, c.SetDeadline(time.Time{})
}

// present tells the leader who has come.
func present(r *records, job Job) error {
	if _, err := fmt.Fprintf(r, "%d %d", job.Rank, job.Size); err != nil {
		return err
	}
	answer, err := r.next()
	if err != nil {
		return err
	}
	if text, no := strings.CutPrefix(string(answer), "no: "); no {
		return &Refused{text}
	}
	if string(answer) != "welcome" {
		return errors.New("the leader's answer makes no sense")
	}
	return nil
}

// greeted lets a newcomer say which rank it is, and answers what admit says to that.
func greeted(c net.Conn, job Job, s Secret, admit func(rank int, r *records) error) error {
	if err := errors.Join(c.SetDeadline(time.Now().Add(greetLimit)), s.Admit(c)); err != nil {
		return err
	}
	about := make([]byte, helloSize)
	if _, err := io.ReadFull(c, about); err != nil {
		return err
	}
	name := sha256.Sum256([]byte(job.Name))
	if string(about[:len(mark)]) != mark || string(about[len(mark)+nonceSize:]) != string(name[:]) {
		return errOther
	}
	half := append([]byte(mark), random()...)
	about = append(about, half...)
	ticket, secret, err := s.Offer(about)
	if err != nil {
		return err
	}
	r, err := seal(c, secret, about, true)
	if err != nil {
		return err
	}
	if _, err := c.Write(append(binary.BigEndian.AppendUint16(half, uint16(len(ticket))), ticket...)); err != nil {
		return err
	}
	first, err := r.next()
	if err != nil {
		return err
	}
	rank, err := whoIs(string(first), job)
	if err == nil {
		if err = c.SetDeadline(time.Time{}); err == nil {
			err = admit(rank, r)
		}
	}
	if err != nil {
		_, _ = fmt.Fprintf(r, "no: %v", err) // who does not hear it only knows less
	}
	return err
}

// whoIs reads what present has written.
func whoIs(text string, job Job) (rank int, err error) {
	number, size, _ := strings.Cut(text, " ")
	if size != fmt.Sprint(job.Size) {
		return 0, fmt.Errorf("this job has %d ranks, not %q", job.Size, size)
	}
	ranks, err := pmi.ParseRanks(number, job.Size)
	if err != nil || len(ranks) != 1 {
		return 0, fmt.Errorf("%q is no rank of a job of %d", number, job.Size)
	}
	return ranks[0], nil
}
