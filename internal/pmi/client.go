package pmi

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// ErrGone is the cause of every call that fails because the connection to the process manager is lost. A rank whose
// manager is gone has nobody left to end it and must end itself.
var ErrGone = errors.New("process manager is gone")

// ErrForeign is the answer to a Weft extension call on a client of somebody else's process manager.
var ErrForeign = errors.New("not started by weft run")

// Client is a rank's connection to its process manager. Calls may come from several goroutines; those that wait for
// an answer take turns, the one-way calls (Abort, Stall, Tally, LastWords) pass them by, so a rank stuck in Barrier can
// still abort.
type Client struct {
	conn     io.ReadWriteCloser
	extended bool
	explains bool // the manager passes on why a rank aborts

	turn    sync.Mutex   // held by the call that waits for an answer
	answers chan Message // at most one: the reader hands the answer to whoever has the turn
	kvsName string       // guarded by turn

	writing sync.Mutex // one line at a time

	mu        sync.Mutex
	expecting bool // a request is out and its answer has not come
	finalised bool
	onDump    func(ask int)
	onNotice  func(Notice)
	recovers  bool  // the job survives the death of a process
	cause     error // why the connection ended

	ended  chan struct{} // closed when the reader has stopped, for whatever reason
	closed chan struct{} // closed by Close
	gone   chan struct{} // see Gone
}

// NewClient returns a client on conn and starts its reader, which ends when conn does. The client owns conn from
// then on; Close it. extended says that the other end is Weft's own launcher (WEFT_LAUNCHER=1), which understands
// the weft_ commands and keeps the connection open after Finalize.
func NewClient(conn io.ReadWriteCloser, extended bool) *Client {
	c := &Client{
		conn:     conn,
		extended: extended,
		explains: extended,
		answers:  make(chan Message, 1),
		ended:    make(chan struct{}),
		closed:   make(chan struct{}),
		gone:     make(chan struct{}),
	}
	go c.read()
	return c
}

// NewMember is NewClient for a connection to a manager that is one of the ranks, and knows no weft_ commands but
// OverMessage.
func NewMember(conn io.ReadWriteCloser) *Client {
	c := NewClient(conn, false)
	c.explains = true
	return c
}

// Gone is closed when the manager went away while this rank still needed it: the connection ended, or broke the
// protocol, before Close and before Finalize. Under Weft's own launcher it is closed after Finalize too.
func (c *Client) Gone() <-chan struct{} { return c.gone }

// OnDump sets the function that is called when the launcher asks what this rank waits for and what it has done. It
// gets the number of the question, and answers with it: any number of times Stall, then Tally. A launcher of an older
// version does not number its questions, which is 0, and knows no Tally. It runs on the reader's
// goroutine and must not wait for anything. Only Weft's own launcher ever asks.
func (c *Client) OnDump(report func(ask int)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onDump = report
}

// Close gives up the connection. Calls that wait return ErrGone; Gone is not closed by it. Only the first call counts.
func (c *Client) Close() error {
	c.mu.Lock()
	select {
	case <-c.closed:
		c.mu.Unlock()
		return nil
	default:
	}
	close(c.closed)
	if c.cause == nil {
		c.cause = fmt.Errorf("%w: closed by this rank", ErrGone)
	}
	c.mu.Unlock()
	return c.conn.Close()
}

// read is the only reader of the connection. Lines that were asked for go to the asking call; weft_ lines never do,
// so an unsolicited line cannot be mistaken for an answer.
func (c *Client) read() {
	defer close(c.ended)
	r := NewReader(c.conn)
	for {
		m, err := r.Next()
		if err == nil {
			err = c.dispatch(m)
		}
		if err != nil {
			c.lose(err)
			return
		}
	}
}

func (c *Client) dispatch(m Message) error {
	if m.Cmd == cmdOver {
		return parseOver(m)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.extended && strings.HasPrefix(m.Cmd, "weft_") {
		if n, ok, err := parseNotice(m); ok {
			if tell := c.onNotice; err == nil && tell != nil {
				c.mu.Unlock()
				tell(n)
				c.mu.Lock()
			}
			return err
		}
		if report := c.onDump; m.Cmd == cmdDump && report != nil {
			ask, err := askOf(m)
			if err != nil {
				return err
			}
			c.mu.Unlock()
			report(ask)
			c.mu.Lock()
		}
		return nil
	}
	if !c.expecting {
		return fmt.Errorf("%w: cmd=%s came unasked", ErrLine, m.Cmd)
	}
	c.expecting = false
	c.answers <- m
	return nil
}

// lose records why the connection ended and tells whoever listens to Gone, unless the end was expected.
func (c *Client) lose(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	closedHere := c.cause != nil
	if !closedHere {
		if errors.Is(err, io.EOF) {
			c.cause = fmt.Errorf("%w: it closed the connection", ErrGone)
		} else {
			c.cause = fmt.Errorf("%w: %w", ErrGone, err)
		}
	}
	if !closedHere && (!c.finalised || c.extended) {
		close(c.gone)
	}
}

// Cause tells why the connection has ended: an *Over if the manager has said so. nil while it has not.
func (c *Client) Cause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// send writes one line. A failing write means the manager is gone.
func (c *Client) send(m Message) error {
	line, err := AppendMessage(nil, m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.conn.Write(line); err != nil {
		return fmt.Errorf("%w: cannot send cmd=%s: %w", ErrGone, m.Cmd, err)
	}
	return nil
}

// ask sends a request and waits for its answer, which must be the command want with rc=0 or no rc at all. The caller
// holds the turn.
func (c *Client) ask(request Message, want string) (Message, error) {
	c.mu.Lock()
	c.expecting = true
	c.mu.Unlock()
	if err := c.send(request); err != nil {
		c.mu.Lock()
		c.expecting = false
		c.mu.Unlock()
		return Message{}, err
	}
	var answer Message
	select {
	case answer = <-c.answers:
	case <-c.closed:
		return Message{}, fmt.Errorf("waiting for the answer to cmd=%s: %w", request.Cmd, c.Cause())
	case <-c.ended:
		select {
		case answer = <-c.answers: // it came just before the end
		default:
			return Message{}, fmt.Errorf("waiting for the answer to cmd=%s: %w", request.Cmd, c.Cause())
		}
	}
	if answer.Cmd != want {
		return Message{}, fmt.Errorf("%w: cmd=%s answered by cmd=%s, want cmd=%s", ErrLine, request.Cmd, answer.Cmd, want)
	}
	if rc, ok := answer.Get("rc"); ok && rc != "0" {
		msg, _ := answer.Get("msg")
		return answer, &Refusal{Cmd: request.Cmd, Code: rc, Text: msg}
	}
	return answer, nil
}

// Refusal is a manager's answer with rc other than 0.
type Refusal struct {
	Cmd  string // what was asked
	Code string // rc as the manager wrote it
	Text string // msg, often empty
}

func (r *Refusal) Error() string {
	text := "process manager refused cmd=" + r.Cmd + ": rc=" + r.Code
	if r.Text != "" {
		text += " (" + r.Text + ")"
	}
	return text
}

// Init opens the conversation; it comes first. It fails when the manager does not speak version 1.
func (c *Client) Init() error {
	c.turn.Lock()
	defer c.turn.Unlock()
	answer, err := c.ask(NewMessage("init", "pmi_version", "1", "pmi_subversion", "1"), "response_to_init")
	if err != nil {
		return err
	}
	if v, err := answer.Int("pmi_version"); err != nil || v != 1 {
		return fmt.Errorf("%w: manager answered init with version %d, want 1", ErrLine, v)
	}
	if word, _ := answer.Get(keyRecover); c.extended && word == "1" {
		c.mu.Lock()
		c.recovers = true
		c.mu.Unlock()
	}
	return nil
}

// Maxes are the manager's limits in bytes, terminating zero of its C strings included.
type Maxes struct {
	KVSName, Key, Value int
}

// GetMaxes asks for the manager's limits.
func (c *Client) GetMaxes() (Maxes, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	answer, err := c.ask(NewMessage("get_maxes"), "maxes")
	if err != nil {
		return Maxes{}, err
	}
	var m Maxes
	for _, f := range []struct {
		key string
		to  *int
	}{{"kvsname_max", &m.KVSName}, {"keylen_max", &m.Key}, {"vallen_max", &m.Value}} {
		if *f.to, err = answer.Int(f.key); err != nil {
			return Maxes{}, err
		}
	}
	return m, nil
}

// AppNum asks which of several programs of one job this is, counted from 0; managers that do not know say -1.
func (c *Client) AppNum() (int, error) { return c.askNumber("get_appnum", "appnum", "appnum") }

// UniverseSize asks how many ranks the job may grow to; managers that do not know say -1.
func (c *Client) UniverseSize() (int, error) {
	return c.askNumber("get_universe_size", "universe_size", "size")
}

func (c *Client) askNumber(cmd, want, key string) (int, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	answer, err := c.ask(NewMessage(cmd), want)
	if err != nil {
		return 0, err
	}
	return answer.Int(key)
}

// KVSName asks once for the name of the job's key-value space and remembers it.
func (c *Client) KVSName() (string, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	return c.nameOfKVS()
}

func (c *Client) nameOfKVS() (string, error) {
	if c.kvsName != "" {
		return c.kvsName, nil
	}
	answer, err := c.ask(NewMessage("get_my_kvsname"), "my_kvsname")
	if err != nil {
		return "", err
	}
	name, _ := answer.Get("kvsname")
	if name == "" {
		return "", fmt.Errorf("%w: cmd=my_kvsname without kvsname=", ErrLine)
	}
	c.kvsName = name
	return name, nil
}

// Put publishes value under key. Others, and under some managers even this rank, see it after the next Barrier. Put
// refuses what managers are known to cut or choke on: bytes outside [A-Za-z0-9._:,/+=-] and lines beyond PutLineMax.
func (c *Client) Put(key, value string) error {
	if err := checkKVSWord("key", key); err != nil {
		return err
	}
	if err := checkKVSWord("value", value); err != nil {
		return err
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	name, err := c.nameOfKVS()
	if err != nil {
		return err
	}
	request := NewMessage("put", "kvsname", name, "key", key, "value", value)
	line, err := AppendMessage(nil, request)
	if err != nil {
		return err
	}
	if len(line) > PutLineMax {
		return fmt.Errorf("put of key %s takes a line of %d bytes, limit %d", key, len(line), PutLineMax)
	}
	_, err = c.ask(request, "put_result")
	return err
}

func checkKVSWord(what, word string) error {
	if word == "" {
		return fmt.Errorf("put with an empty %s", what)
	}
	for i := range len(word) {
		if !wordAlphabet(word[i]) {
			return fmt.Errorf("put with byte %q in %s %q: only [A-Za-z0-9._:,/+=-] pass every process manager",
				word[i], what, clip(word))
		}
	}
	return nil
}

// Get looks key up; found is false when nobody has published it.
func (c *Client) Get(key string) (value string, found bool, err error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	name, err := c.nameOfKVS()
	if err != nil {
		return "", false, err
	}
	answer, err := c.ask(NewMessage("get", "kvsname", name, "key", key), "get_result")
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	value, found = answer.Get("value")
	return value, found, nil
}

// Barrier returns when every rank of the job has called it.
func (c *Client) Barrier() error {
	c.turn.Lock()
	defer c.turn.Unlock()
	_, err := c.ask(NewMessage("barrier_in"), "barrier_out")
	return err
}

// Finalize tells the manager that this rank needs it no more and may exit with 0 at any time. Foreign managers close
// the connection after it.
func (c *Client) Finalize() error {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.mu.Lock()
	c.finalised = true // before asking, since the end of the stream may follow the answer at once
	c.mu.Unlock()
	_, err := c.ask(NewMessage("finalize"), "finalize_ack")
	return err
}

// Abort asks the manager to end the whole job with code. There is no answer: the manager's next word is a signal.
func (c *Client) Abort(code int, message string) error {
	m := NewMessage("abort", "exitcode", strconv.Itoa(code))
	if message != "" && c.explains {
		m.Fields = append(m.Fields, Field{"message", Escape(head(message, textMax))})
	}
	return c.send(m)
}

// textMax bounds the free text of one weft_ line before escaping, so that the escaped line stays below LineMax.
const textMax = 4 << 10

func head(text string, most int) string {
	return text[:min(len(text), most)]
}

// Stall reports what this rank waits for. One-way. A list of members too scattered for one line is left out.
func (c *Client) Stall(s Stall) error {
	if !c.extended {
		return ErrForeign
	}
	s.Site = head(s.Site, textMax/2)
	s.Comm = head(s.Comm, textMax/8)
	if len(FormatRanks(s.Members)) > textMax {
		s.Members = nil
	}
	return c.send(StallMessage(s))
}

// LastWords leaves a text with the launcher, to be shown should this rank end abnormally; the latest one counts and
// only its first 4096 bytes. One-way.
func (c *Client) LastWords(text string) error {
	if !c.extended {
		return ErrForeign
	}
	return c.send(NewMessage(cmdLastWords, "text", Escape(head(text, textMax))))
}
