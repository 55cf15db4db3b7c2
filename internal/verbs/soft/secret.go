package soft

import (
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp/crypt"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs/auth"
)

// With Config.Encrypt what follows the start-up frames on a connection is records of package crypt, in which
// the FPDUs are. Sending seals into memory of the device's, never where the program's bytes are; receiving
// opens long payloads where they belong. The rest of a stream does not know of it.

const (
	recordBytes = 128 << 10 // of sealed records, handed to the socket or received from it in one call
	maxBooks    = 8         // buffers of that size that are kept
	bigPart     = 2 << 10   // parts that are as long are sealed from where they lie; shorter ones are put together
	maxCommon   = 4096      // peers whose part of the secret is remembered
	publicSize  = 32
)

// secrets is what a device needs for connections that are encrypted.
type secrets struct {
	own    *ecdh.PrivateKey            // drawn when the device was opened, and gone with it
	common map[[publicSize]byte][]byte // what it shares with others, by what they said
	books  [][]byte                    // memory for records
}

// newSecrets draws what the device adds to the job's key: who gets to know that one later cannot open what
// was recorded.
func newSecrets() (secrets, error) {
	own, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return secrets{}, err
	}
	// It fails where the program may not use it (GODEBUG=fips140=only): here rather than in the first connection.
	if _, err := crypt.NewPair(own.PublicKey().Bytes(), nil, nil, true); err != nil {
		return secrets{}, err
	}
	return secrets{own: own, common: map[[publicSize]byte][]byte{}}, nil
}

// kind is what connections of the device are to be.
func (d *Device) kind() auth.Kind {
	if d.cfg.Encrypt {
		return auth.Secret
	}
	return auth.Plain
}

// share is the secret that the device shares with who said public.
func (x *secrets) share(public []byte) ([]byte, error) {
	name := [publicSize]byte(public)
	if known := x.common[name]; known != nil {
		return known, nil
	}
	theirs, err := ecdh.X25519().NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	both, err := x.own.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	if len(x.common) >= maxCommon {
		clear(x.common)
	}
	x.common[name] = both
	return both, nil
}

func (x *secrets) takeBook() []byte {
	if n := len(x.books); n > 0 {
		b := x.books[n-1]
		x.books = x.books[:n-1]
		return b
	}
	return make([]byte, recordBytes)
}

func (x *secrets) giveBook(b []byte) {
	if b != nil && len(x.books) < maxBooks {
		x.books = append(x.books, b)
	}
}

// secret is what a connection has that is encrypted.
type secret struct {
	*crypt.Pair
	reader crypt.Reader
	more   bool   // the last call received as much as there was room for
	held   []byte // memory of unsent
	unsent []byte // records that the socket has not taken
	again  *timer // goes on with what was received and is not opened yet
}

const mustBeAlike = "WEFT_ENCRYPT (weft run --encrypt) must be the same for both"

var (
	errSecretPeer = errors.New("the peer encrypts its connections and this process does not: " + mustBeAlike)
	errPlainPeer  = errors.New("this process encrypts its connections and the peer does not: " + mustBeAlike)
	errUnended    = errors.New("the connection ended, and the peer has not said so: it died, or somebody cut the connection")
)

// dressPublic puts the device's public part before what the user says.
func (s *stream) dressPublic(private []byte) []byte {
	if !s.dev.cfg.Encrypt {
		return private
	}
	return append(s.dev.own.PublicKey().Bytes(), private...)
}

// undressPublic takes the peer's public part off what is proven to be said by it. It answers false if that
// is none.
func (s *stream) undressPublic(said []byte) (private []byte, ok bool) {
	if !s.dev.cfg.Encrypt {
		return said, true
	}
	if len(said) < publicSize {
		return nil, false
	}
	var err error
	s.common, err = s.dev.share(said[:publicSize])
	return said[publicSize:], err == nil
}

// conceal has everything that follows the start-up frames, the request and its reply as they were on the way,
// be encrypted. The keys depend on all of both.
func (s *stream) conceal(asked, replied []byte) error {
	if !s.dev.cfg.Encrypt {
		return nil
	}
	pair, err := crypt.NewPair(slices.Concat(s.common, s.dev.cfg.Key), asked, replied, s.initiator)
	if err != nil {
		return fmt.Errorf("soft: %w", err)
	}
	c := &secret{Pair: pair, reader: crypt.Reader{In: &pair.In}}
	c.again = newTimer(s.goOnReading)
	s.secret, s.common = c, nil
	if len(s.pend) > 0 { // came together with the reply
		c.reader.Lend(s.dev.takeBook())
		c.reader.Got(copy(c.reader.Room(), s.pend))
		s.keep(nil)
	}
	return nil
}

// send hands bytes to the socket and tells how many it took; of an encrypted connection, how many are sealed
// and go out before all others.
func (s *stream) send(b []byte) (int, error) {
	if s.secret == nil {
		return s.conn.Send(b, false)
	}
	v := s.dev.vector
	v.Reset()
	v.Add(b)
	n, err := s.sendSealed(v)
	v.Reset()
	return n, err
}

// sendVector is send for what lies in many places; v is unchanged.
func (s *stream) sendVector(v *socket.Vector) (int, error) {
	if s.secret == nil {
		return s.conn.SendVector(v, false)
	}
	return s.sendSealed(v)
}

func (s *stream) sendSealed(v *socket.Vector) (int, error) {
	c, d := s.secret, s.dev
	if err := s.sendRest(); err != nil {
		return 0, err
	}
	buf := d.takeBook()
	records, taken := c.gather(buf[:0], v)
	sent, err := s.conn.Send(records, false)
	if err != nil && err != socket.ErrAgain {
		d.giveBook(buf)
		return 0, err
	}
	if c.unsent = records[max(sent, 0):]; len(c.unsent) > 0 {
		c.held = buf
	} else {
		d.giveBook(buf)
	}
	return taken, nil
}

// sendRest hands the socket what it has not taken of sealed records. It is ErrAgain if some is left.
func (s *stream) sendRest() error {
	c := s.secret
	if c == nil || len(c.unsent) == 0 {
		return nil
	}
	n, err := s.conn.Send(c.unsent, false)
	if err != nil {
		return err
	}
	if c.unsent = c.unsent[n:]; len(c.unsent) > 0 {
		return socket.ErrAgain
	}
	s.dev.giveBook(c.held)
	c.held, c.unsent = nil, nil
	return nil
}

// rests tells whether there are sealed records that the socket has not taken.
func (s *stream) rests() bool { return s.secret != nil && len(s.secret.unsent) > 0 }

// gather seals what is in v, as far as there is room in b, and tells how many bytes that were. Long parts are
// sealed from where they lie. What lies before such a one, headers, goes into a record with the first bytes of
// it, as much as the receiver takes of a segment to tell where the rest goes.
func (c *secret) gather(b []byte, v *socket.Vector) (records []byte, taken int) {
	g := gathering{b: b, out: &c.Out, from: -1}
	before := 0
	for i := range v.Len() {
		p := v.Part(i)
		size := len(p)
		if size >= bigPart && g.from >= 0 {
			p = p[g.add(p[:max(slop-before, 0)]):]
		}
		for n := 1; n > 0 && len(p) > 0; p = p[n:] {
			if len(p) >= bigPart {
				n = g.seal(p)
			} else {
				n = g.add(p)
			}
		}
		if len(p) > 0 {
			break
		}
		before = size
	}
	g.end()
	return g.b, g.taken
}

// gathering is records that are being put together.
type gathering struct {
	b     []byte
	out   *crypt.Sealer
	from  int // where in b the record begins to which short parts are added; -1: there is none
	taken int
}

// add adds the beginning of a short part to the record that is being put together, and tells how much of it.
func (g *gathering) add(p []byte) int {
	if g.from >= 0 && len(g.b)-g.from == crypt.HeadSize+crypt.MaxPlain {
		g.end()
	}
	if g.from < 0 {
		if cap(g.b)-len(g.b) <= crypt.Overhead {
			return 0
		}
		g.from = len(g.b)
		g.b = g.b[:g.from+crypt.HeadSize]
	}
	plain := len(g.b) - g.from - crypt.HeadSize
	n := min(len(p), crypt.MaxPlain-plain, cap(g.b)-len(g.b)-(crypt.Overhead-crypt.HeadSize))
	g.b = append(g.b, p[:n]...)
	g.taken += n
	return n
}

// end seals what was put together.
func (g *gathering) end() {
	if g.from >= 0 {
		g.b = g.out.SealFrom(g.b, g.from)
		g.from = -1
	}
}

// seal makes a record of the beginning of a long part, and tells how much of it.
func (g *gathering) seal(p []byte) int {
	g.end()
	n := min(len(p), crypt.MaxPlain, cap(g.b)-len(g.b)-crypt.Overhead)
	if n <= 0 {
		return 0
	}
	g.b = g.out.Seal(g.b, p[:n])
	g.taken += n
	return n
}

// recv receives into b; from an encrypted connection, what is in whole records that are here.
func (s *stream) recv(b []byte) (int, error) {
	if s.secret == nil {
		return s.conn.Recv(b)
	}
	if err := s.fetchRecords(); err != nil {
		return 0, err
	}
	n, err := s.secret.reader.Read(b)
	return s.opens(n, err)
}

// recvVector is recv into many places; v is unchanged.
func (s *stream) recvVector(v *socket.Vector) (n int, err error) {
	if s.secret == nil {
		return s.conn.RecvVector(v)
	}
	if err := s.fetchRecords(); err != nil {
		return 0, err
	}
	for i := 0; i < v.Len() && err == nil; i++ {
		part, k := v.Part(i), 0
		k, err = s.secret.reader.Read(part)
		if n += k; k < len(part) {
			break
		}
	}
	return s.opens(n, err)
}

// opens ends a call that has opened n bytes.
func (s *stream) opens(n int, err error) (int, error) {
	s.dev.giveBook(s.secret.reader.Back())
	switch {
	case n > 0: // if something is wrong with what follows, the next call finds it
		return n, nil
	case err != nil:
		s.dev.count.badRecords++
		return 0, err
	}
	return 0, socket.ErrAgain
}

// fetchRecords makes a call of the socket unless there is something to open without.
func (s *stream) fetchRecords() error {
	c := s.secret
	if c.reader.Ready() {
		return nil
	}
	if !c.reader.Lent() {
		c.reader.Lend(s.dev.takeBook())
	}
	room := c.reader.Room()
	n, err := s.conn.Recv(room)
	if err != nil {
		c.more = false
		s.dev.giveBook(c.reader.Back())
		if err == io.EOF && !c.In.Ended() {
			return errUnended
		}
		return err
	}
	c.reader.Got(n)
	c.more = n == len(room)
	return nil
}

// opensMore tells whether more is here than has been read, or probably so.
func (s *stream) opensMore() bool {
	return s.secret != nil && (s.secret.more || s.secret.reader.Ready())
}

// remind has whoever drives the device next go on with what was received and is not opened yet: the poller
// does not know of it.
func (s *stream) remind() {
	switch c := s.secret; {
	case c == nil || s.qp == nil || !c.reader.Ready():
	case s.reads():
		s.dev.setTimer(c.again, 1)
	case s.aside.telling == told && s.aside.size > 0: // somebody has been asked, and may have left
		s.dev.setTimer(c.again, clock.Now()+tick)
	}
}

// goOnReading does what the timer reminds of.
func (s *stream) goOnReading(int64) {
	s.ready(true, false)
	s.remind()
}

// farewell tells the peer that nothing follows, if it can be told.
func (s *stream) farewell() {
	if s.secret == nil || s.sendRest() != nil {
		return
	}
	buf := s.dev.takeBook()
	_, _ = s.conn.Send(s.secret.Out.End(buf[:0]), false)
	s.dev.giveBook(buf)
}

// reveal gives back what an encrypted connection holds, at its end.
func (s *stream) reveal() {
	if c := s.secret; c != nil {
		s.dev.setTimer(c.again, 0)
		s.dev.giveBook(c.reader.Drop())
		s.dev.giveBook(c.held)
		s.secret = nil
	}
	s.common = nil
}

// otherKind ends a request for a connection whose responder wants one of another kind.
func (s *stream) otherKind(theirs auth.Kind) {
	if theirs == auth.Secret {
		s.connectFailed(errSecretPeer)
	} else {
		s.connectFailed(errPlainPeer)
	}
}
