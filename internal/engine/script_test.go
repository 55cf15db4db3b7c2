package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/engine/record"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// testdata/*.txt are scenarios: commands above ----, the actions they lead to below. A # starts a comment.
//
//	ranks 2 eager=8 [rendezvous=speculative] [hold-done] [samples=8] [off=RULE] [prefix=4] [unasked] [unexpected=600]   a new world; off breaks rules
//	send NAME 0->1 tag=1 len=4 [sync] [ctx=0]
//	recv NAME 1<-0 tag=1 len=4 [ctx=0]   source and tag may be any
//	probe NAME 1<-0 tag=1; peek 1<-0 tag=1
//	claim NAME 1<-0 tag=1; mrecv NAME rank=1 MESSAGE len=4
//	cancel NAME rank=1
//	deliver [0->1]                       the oldest packet; without a wire: everything, until all is quiet
//	begin 0->1; end 0->1                 the first piece of a payload, the rest of it
//	hold 0->1; take 0->1                 the link takes packets only when told; the link takes one
//	read NAME rank=1 [fails]             the link has done a read, or could not
//	write NAME rank=0 [fails]            the bytes are in place and DONE is on its way, or there is no path any more
//	done                                 the oldest such DONE arrives; anything may overtake it
//	clock 100                            nanoseconds that pass
//	lost 1 rank=0                        rank 0 hears no more of rank 1
//	bereave 0 rank=0; console 0 rank=0   receives from any source on context 0 end; they wait again
//	inject 0->1 KIND [send=9] [recv=9] [len=4]   a packet that no engine sent
//	excuse 6 rank=1; forget 6 rank=1; revive 6 rank=1   the communicator of context 6 is given up, is freed, is made anew
//	fail rank=1; counters rank=1; unmatched rank=1

// scenario is a story that engines play against each other without a network.
type scenario struct {
	name   string
	blocks []block
}

// block is a part of a scenario: what is done, and the actions that it leads to.
type block struct{ commands, want string }

// scenarios returns the stories that document the protocol, races and all; each is a test. They lie on the
// disk: nobody's program should carry them.
func scenarios(t *testing.T) (all []scenario) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s := scenario{name: strings.TrimSuffix(filepath.Base(f), ".txt")}
		for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
			commands, want, _ := strings.Cut(part, "\n----")
			s.blocks = append(s.blocks, block{commands, strings.TrimSpace(want)})
		}
		all = append(all, s)
	}
	return all
}

// lacks tells whether the block is played without a rule.
func (b block) lacks() bool { return strings.Contains(b.commands, " off=") }

// witness is told what happens in a scenario. What is nil is not told.
type witness struct {
	Move    func(record.Move)
	Call    func(record.Call)
	Passage func(record.Passage)
}

// play plays the scenario and returns the actions of each block.
func (s scenario) play(w witness) []string {
	p := &script{witness: w}
	var out []string
	for _, b := range s.blocks {
		out = append(out, p.play(b.commands))
	}
	return out
}

// script is one scenario file being played.
type script struct {
	w       *world
	out     []string
	witness witness
}

// newWorld starts again as the words of a ranks command say.
func (s *script) newWorld(a args) {
	c := worldConfig{eager: a.num("eager"), off: a.keys["off"], prefix: a.num("prefix"), unasked: a.has("unasked")}
	for _, r := range []wire.Rendezvous{wire.Pull, wire.Put, wire.Speculate, wire.Announced} {
		if r.String() == a.keys["rendezvous"] {
			c.rendezvous = r
		}
	}
	c.cfg = Config{HoldDone: a.has("hold-done"), SpecMinSamples: a.num("samples"), UnexpectedMax: a.num("unexpected"), RoundTrip: 100}
	s.w = makeWorld(number(a.word(0)), c)
	s.w.log = s.log
	s.w.witness = s.witness
}

// play runs a block's commands and returns the actions they led to.
func (s *script) play(commands string) string {
	s.out = nil
	for line := range strings.Lines(commands) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			if err := s.try(words[0], parseArgs(words[1:])); err != nil {
				s.log("%s: %v", strings.TrimSpace(line), err)
			}
		}
	}
	return strings.Join(s.out, "\n")
}

func (s *script) log(format string, args ...any) { s.out = append(s.out, fmt.Sprintf(format, args...)) }

// args are the words of a command: bare words in order, key=value pairs, and one pair of ranks.
type args struct {
	bare []string
	keys map[string]string
	pair pair
}

func parseArgs(words []string) args {
	a := args{keys: map[string]string{}}
	for _, word := range words {
		if from, to, ok := strings.Cut(word, "->"); ok {
			a.pair = pair{number(from), number(to)}
		} else if rank, from, ok := strings.Cut(word, "<-"); ok {
			a.pair = pair{number(from), number(rank)}
		} else if key, value, ok := strings.Cut(word, "="); ok {
			a.keys[key] = value
		} else {
			a.bare = append(a.bare, word)
		}
	}
	return a
}

func number(s string) int {
	if s == "any" {
		return match.Any
	}
	n, err := strconv.Atoi(s)
	if err != nil && s != "" {
		panic("not a number: " + s)
	}
	return n
}

func (a args) num(key string) int { return number(a.keys[key]) }
func (a args) word(i int) string {
	if i < len(a.bare) {
		return a.bare[i]
	}
	return ""
}
func (a args) has(word string) bool {
	for _, b := range a.bare {
		if b == word {
			return true
		}
	}
	return false
}
func (a args) pattern() match.Envelope {
	return envelope(a.pair.from, uint32(a.num("ctx")), a.num("tag"))
}

var errNothing = errors.New("nothing to do")

// try runs a command. Engines that lack a rule may reach for memory that is gone.
func (s *script) try(verb string, a args) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("fault: %v", fault)
		}
	}()
	return s.command(verb, a)
}

func (s *script) command(verb string, a args) error {
	w := s.w
	switch verb {
	case "ranks":
		s.newWorld(a)
	case "send":
		mode := Standard
		if a.has("sync") {
			mode = Sync
		}
		w.send(a.word(0), a.pair, uint32(a.num("ctx")), a.num("tag"), a.num("len"), mode)
	case "recv":
		w.recv(a.word(0), a.pair.to, a.pattern(), a.num("len"))
	case "probe":
		w.probe(a.word(0), a.pair.to, a.pattern())
	case "peek", "claim", "mrecv", "cancel":
		return s.queue(verb, a)
	case "deliver", "begin", "end", "hold", "take", "read", "inject", "write", "done":
		return s.move(verb, a)
	case "clock":
		w.pass(int64(number(a.word(0))))
	case "fail", "lost", "counters", "unmatched", "excuse", "forget", "revive", "bereave", "console":
		s.look(verb, a)
	default:
		return errors.New("unknown command")
	}
	return nil
}

// queue serves the commands on messages and requests that wait.
func (s *script) queue(verb string, a args) error {
	w := s.w
	switch verb {
	case "peek":
		st, ok := w.ranks[a.pair.to].eng.Peek(a.pattern())
		if !ok {
			return errNothing
		}
		s.log("found from=%d tag=%d len=%d", st.Peer, st.Tag, st.Len)
	case "claim":
		m := w.ranks[a.pair.to].eng.Claim(a.pattern())
		if m == nil {
			return errNothing
		}
		w.msgs[a.word(0)] = m
		s.log("claimed %s from=%d tag=%d len=%d", a.word(0), m.Status().Peer, m.Status().Tag, m.Status().Len)
	case "mrecv":
		r := &Req{Buf: make([]byte, a.num("len"))}
		w.name(r, a.word(0))
		w.ranks[a.num("rank")].eng.RecvClaimed(r, w.msgs[a.word(1)])
		w.carry(a.num("rank"))
	case "cancel":
		ok := w.ranks[a.num("rank")].eng.Cancel(w.reqs[a.word(0)])
		s.log("cancel %s: %v (state %s)", a.word(0), ok, w.reqs[a.word(0)].State())
		w.carry(a.num("rank"))
	}
	return nil
}

// move serves the commands that make packets and payloads move.
func (s *script) move(verb string, a args) error {
	w, ok := s.w, true
	switch verb {
	case "deliver":
		if a.pair == (pair{}) {
			w.settle()
		} else {
			ok = w.deliver(a.pair)
		}
	case "begin":
		ok = w.begin(a.pair)
	case "end":
		ok = w.end(a.pair)
	case "hold":
		w.held[a.pair] = true
	case "take":
		ok = w.take(a.pair)
	case "read":
		var err error
		if a.has("fails") {
			err = errors.New("not permitted")
		}
		rank := a.num("rank")
		for i, r := range w.ranks[rank].reads {
			if r == w.reqs[a.word(0)] {
				w.finishRead(rank, i, err)
				return nil
			}
		}
		ok = false
	case "write":
		var err error
		if a.has("fails") {
			err = wire.ErrNoPath
		}
		rank := a.num("rank")
		for i, f := range w.ranks[rank].writes {
			if f.req == w.reqs[a.word(0)] {
				w.finishWrite(rank, i, err)
				return nil
			}
		}
		ok = false
	case "done":
		if ok = len(w.late) > 0; ok {
			w.deliverLate(0)
		}
	case "inject":
		h := wire.Header{Kind: kindNamed(a.word(0)), Send: uint32(a.num("send")), Recv: uint32(a.num("recv")), Len: a.num("len")}
		w.ranks[a.pair.to].eng.Arrive(a.pair.from, &h, make([]byte, h.Len))
		w.carry(a.pair.to)
	}
	if !ok {
		return errNothing
	}
	return nil
}

func kindNamed(name string) wire.Kind {
	for k := range wire.GiveUp + 1 {
		if k.String() == name {
			return k
		}
	}
	return 200
}

// nonZero prints the counters that have counted.
func nonZero(prefix string, v reflect.Value) (text string) {
	for i := range v.NumField() {
		name := prefix + v.Type().Field(i).Name
		if f := v.Field(i); v.Type().Field(i).Anonymous {
			text += nonZero(prefix, f)
		} else if f.Kind() == reflect.Struct {
			text += nonZero(name+".", f)
		} else if f.Uint() != 0 {
			text += fmt.Sprintf("%s=%d ", name, f.Uint())
		}
	}
	return text
}

// look serves the commands that end or inspect a rank.
func (s *script) look(verb string, a args) {
	eng := s.w.ranks[a.num("rank")].eng
	switch verb {
	case "fail":
		eng.Fail(errors.New("the job is over"))
		s.w.carry(a.num("rank"))
	case "lost":
		eng.Lost(number(a.word(0)), errors.New("the peer is lost"))
		s.w.carry(a.num("rank"))
	case "bereave":
		eng.Bereave(uint32(number(a.word(0))), errors.New("a member is dead"))
		s.w.carry(a.num("rank"))
	case "console":
		eng.Console(uint32(number(a.word(0))))
	case "counters":
		c := eng.Counters
		c.SentBytes, c.ArrivedBytes = 0, 0 // which the lengths of the messages tell
		s.log("%swaiting=%dB", nonZero("", reflect.ValueOf(c)), eng.UnexpectedBytes)
	case "excuse":
		eng.Excuse(uint32(number(a.word(0))))
	case "forget":
		eng.Forget(uint32(number(a.word(0))))
		s.w.carry(a.num("rank"))
	case "revive":
		eng.Revive(uint32(number(a.word(0))))
		s.w.carry(a.num("rank"))
	case "unmatched":
		eng.Unmatched(func(st Status) { s.log("unmatched from=%d tag=%d len=%d", st.Peer, st.Tag, st.Len) })
	}
}
