package pmi

import (
	"fmt"
	"strconv"
)

// Limits that the server announces and enforces.
const (
	KVSNameMax = 256
	KeyMax     = 64
	ValueMax   = 1024
	keysMax    = 256 // keys one rank may publish: a bound on memory, far above what start-up needs
)

// ServerConfig describes the job a server serves.
type ServerConfig struct {
	Size    int    // number of ranks
	KVSName string // name of the key-value space, one word
	AppNum  []int  // program number of each rank; nil means all 0
	Mapping string // value of PMI_process_mapping; "" means all ranks on one node

	// Preset are keys that ranks find from the start and cannot change, JobKey among them. They are known to the ranks
	// of the job alone, since nobody else has a control socket.
	Preset map[string]string

	// Recover says that the job survives the death of a process, see Bury.
	Recover bool
}

// JobKey is the preset key under which Weft's launcher keeps the secret of the job: 32 random bytes in
// hexadecimal. Ranks prove with it to each other that they belong together.
const JobKey = "weft-key"

// Server is the manager's half of the protocol for one job, all ranks together. It is a state machine: Handle takes
// what a rank said, Exited takes the fact that a rank is no more; both answer at once. It is not safe for concurrent
// use, does no input or output and keeps no clock.
type Server struct {
	cfg     ServerConfig
	ranks   []rankState
	waiting int      // ranks inside the barrier
	ups     int      // ranks that can live with the death of others
	buried  int      // ranks that have died, and whom nobody waits for
	members struct { // of the last ballot
		text  string
		ranks []int
	}
	kvs    map[string]string
	preset map[string]bool // keys that ranks cannot change
}

type rankState struct {
	phase     Phase
	inBarrier bool
	exited    bool
	up        bool
	buried    bool
	keys      int
}

// Phase is how far a rank has come in the conversation.
type Phase int

// The phases of a rank, in order.
const (
	Silent    Phase = iota // has not said init; a program that never speaks PMI stays here
	Joined                 // between init and finalize: others may wait for it
	Finalised              // may exit at any time
)

func (p Phase) String() string {
	switch p {
	case Silent:
		return "before init"
	case Joined:
		return "between init and finalize"
	case Finalised:
		return "after finalize"
	}
	return "Phase(" + strconv.Itoa(int(p)) + ")"
}

// Reply is a line for one rank.
type Reply struct {
	Rank    int
	Message Message
}

// Abort is a rank's wish to end the whole job.
type Abort struct {
	Code int
	Text string
}

// Outcome is what follows from one event. At most one of the pointers is set.
type Outcome struct {
	Replies    []Reply     // lines to send, in this order
	Abort      *Abort      // end the job
	Stall      *Stall      // a rank reports what it waits for
	Tally      *Tally      // a rank has answered a question
	LastWords  *string     // what to show if the rank ends abnormally
	Ballot     *Ballot     // a rank votes
	Revocation *Revocation // a rank revokes a communicator
	Deserted   *int        // this rank exited without joining, and now somebody who joined will wait for it in vain
}

// NewServer returns the server of a job.
func NewServer(cfg ServerConfig) *Server {
	if cfg.Mapping == "" {
		cfg.Mapping = fmt.Sprintf("(vector,(0,1,%d))", cfg.Size)
	}
	s := &Server{
		cfg:    cfg,
		ranks:  make([]rankState, cfg.Size),
		kvs:    map[string]string{"PMI_process_mapping": cfg.Mapping},
		preset: map[string]bool{"PMI_process_mapping": true},
	}
	for key, value := range cfg.Preset {
		s.kvs[key], s.preset[key] = value, true
	}
	return s
}

// Phase tells how far rank has come.
func (s *Server) Phase(rank int) Phase { return s.ranks[rank].phase }

// DumpRequest is the line that asks a rank what it waits for and what it has done; see Client.OnDump. Questions are
// numbered from 1.
func (s *Server) DumpRequest(ask int) Message { return NewMessage(cmdDump, keyAsk, strconv.Itoa(ask)) }

// Handle takes one message of rank. An error means that the rank broke the protocol: nothing was changed, nothing is
// answered, and the caller should end the job, since the rank may wait for an answer forever.
func (s *Server) Handle(rank int, m Message) (Outcome, error) {
	if s.ranks[rank].buried {
		return Outcome{}, nil
	}
	handle, known := handlers[m.Cmd]
	if !known {
		return Outcome{}, fmt.Errorf("rank %d sent unknown command cmd=%s", rank, clip(m.Cmd))
	}
	if handle.recoverOnly && !s.cfg.Recover {
		return Outcome{}, fmt.Errorf("rank %d sent cmd=%s in a job that ends with its first process that dies", rank, m.Cmd)
	}
	if handle.joinedOnly && s.ranks[rank].phase != Joined {
		return Outcome{}, fmt.Errorf("rank %d sent cmd=%s %v", rank, m.Cmd, s.ranks[rank].phase)
	}
	if s.ranks[rank].inBarrier && !handle.oneWay {
		return Outcome{}, fmt.Errorf("rank %d sent cmd=%s inside a barrier", rank, m.Cmd)
	}
	out, err := handle.do(s, rank, m)
	if err != nil {
		return Outcome{}, fmt.Errorf("rank %d: %w", rank, err)
	}
	return out, nil
}

// handlers lists every command a rank may send.
var handlers = map[string]struct {
	joinedOnly  bool // makes sense only between init and finalize
	oneWay      bool // has no answer, so it may come at any time, even from inside a barrier
	recoverOnly bool // makes sense only in a job that survives the death of a process
	do          func(s *Server, rank int, m Message) (Outcome, error)
}{
	"init":              {false, false, false, (*Server).init},
	"get_maxes":         {true, false, false, (*Server).getMaxes},
	"get_appnum":        {true, false, false, (*Server).getAppNum},
	"get_universe_size": {true, false, false, (*Server).getUniverseSize},
	"get_my_kvsname":    {true, false, false, (*Server).getKVSName},
	"put":               {true, false, false, (*Server).put},
	"get":               {true, false, false, (*Server).get},
	"barrier_in":        {true, false, false, (*Server).barrierIn},
	"finalize":          {true, false, false, (*Server).finalize},
	"abort":             {false, true, false, (*Server).abort},
	cmdStall:            {false, true, false, (*Server).stall},
	cmdTally:            {false, true, false, (*Server).tally},
	cmdLastWords:        {false, true, false, (*Server).lastWords},
	cmdUp:               {true, true, true, (*Server).up},
	cmdVote:             {true, true, true, (*Server).vote},
	cmdRevoke:           {true, true, true, (*Server).revoke},
}

func answer(rank int, cmd string, keysAndValues ...string) Outcome {
	return Outcome{Replies: []Reply{{rank, NewMessage(cmd, keysAndValues...)}}}
}

func (s *Server) init(rank int, m Message) (Outcome, error) {
	if s.ranks[rank].phase != Silent {
		return Outcome{}, fmt.Errorf("sent cmd=init twice")
	}
	version, err := m.Int("pmi_version")
	if err != nil {
		return Outcome{}, err
	}
	if version != 1 {
		return answer(rank, "response_to_init", "pmi_version", "1", "pmi_subversion", "1", "rc", "-1"), nil
	}
	s.ranks[rank].phase = Joined
	out := answer(rank, "response_to_init", "pmi_version", "1", "pmi_subversion", "1", "rc", "0")
	if s.cfg.Recover {
		m := &out.Replies[0].Message
		m.Fields = append(m.Fields, Field{keyRecover, "1"})
	}
	for r := range s.ranks {
		if s.ranks[r].exited && s.ranks[r].phase == Silent {
			out.Deserted = &r
			break
		}
	}
	return out, nil
}

func (s *Server) getMaxes(rank int, _ Message) (Outcome, error) {
	return answer(rank, "maxes", "kvsname_max", strconv.Itoa(KVSNameMax),
		"keylen_max", strconv.Itoa(KeyMax), "vallen_max", strconv.Itoa(ValueMax)), nil
}

func (s *Server) getAppNum(rank int, _ Message) (Outcome, error) {
	n := 0
	if s.cfg.AppNum != nil {
		n = s.cfg.AppNum[rank]
	}
	return answer(rank, "appnum", "appnum", strconv.Itoa(n)), nil
}

func (s *Server) getUniverseSize(rank int, _ Message) (Outcome, error) {
	return answer(rank, "universe_size", "size", strconv.Itoa(s.cfg.Size)), nil
}

func (s *Server) getKVSName(rank int, _ Message) (Outcome, error) {
	return answer(rank, "my_kvsname", "kvsname", s.cfg.KVSName), nil
}

func (s *Server) put(rank int, m Message) (Outcome, error) {
	refuse := func(why string) (Outcome, error) {
		return answer(rank, "put_result", "rc", "-1", "msg", why), nil
	}
	name, _ := m.Get("kvsname")
	key, _ := m.Get("key")
	value, hasValue := m.Get("value")
	_, known := s.kvs[key]
	switch {
	case name != s.cfg.KVSName:
		return refuse("unknown_kvsname")
	case key == "" || len(key) >= KeyMax:
		return refuse("bad_key_length")
	case !hasValue || len(value) >= ValueMax:
		return refuse("bad_value_length")
	case s.preset[key]:
		return refuse("preset_key")
	case !known && s.ranks[rank].keys >= keysMax:
		return refuse("too_many_keys")
	}
	if !known {
		s.ranks[rank].keys++
	}
	s.kvs[key] = value
	return answer(rank, "put_result", "rc", "0", "msg", "success"), nil
}

func (s *Server) get(rank int, m Message) (Outcome, error) {
	name, _ := m.Get("kvsname")
	key, _ := m.Get("key")
	value, found := s.kvs[key]
	if name != s.cfg.KVSName || !found {
		return answer(rank, "get_result", "rc", "-1", "msg", "key_not_found", "value", "unknown"), nil
	}
	return answer(rank, "get_result", "rc", "0", "msg", "success", "value", value), nil
}

func (s *Server) barrierIn(rank int, _ Message) (Outcome, error) {
	s.ranks[rank].inBarrier = true
	s.waiting++
	return s.openBarrier(), nil
}

// openBarrier lets all out who are in the barrier if nobody is missing.
func (s *Server) openBarrier() (out Outcome) {
	if s.waiting == 0 || s.waiting < s.cfg.Size-s.buried {
		return out
	}
	s.waiting = 0
	for r := range s.ranks {
		if s.ranks[r].buried {
			continue
		}
		s.ranks[r].inBarrier = false
		out.Replies = append(out.Replies, Reply{r, NewMessage("barrier_out")})
	}
	return out
}

func (s *Server) finalize(rank int, _ Message) (Outcome, error) {
	s.ranks[rank].phase = Finalised
	return answer(rank, "finalize_ack"), nil
}

func (s *Server) abort(_ int, m Message) (Outcome, error) {
	code, err := m.Int("exitcode")
	if err != nil {
		code = 1 // a rank in trouble is still to be obeyed
	}
	word, _ := m.Get("message")
	text, err := Unescape(word)
	if err != nil {
		text = word // a foreign client does not escape
	}
	return Outcome{Abort: &Abort{code, text}}, nil
}

func (s *Server) stall(rank int, m Message) (Outcome, error) {
	stall, err := ParseStall(m, s.cfg.Size)
	if err != nil {
		return Outcome{}, err
	}
	if stall.Rank != rank {
		return Outcome{}, fmt.Errorf("sent cmd=%s in the name of rank %d", m.Cmd, stall.Rank)
	}
	return Outcome{Stall: &stall}, nil
}

func (s *Server) tally(rank int, m Message) (Outcome, error) {
	tally, err := ParseTally(m, s.cfg.Size)
	if err != nil {
		return Outcome{}, err
	}
	if tally.Rank != rank {
		return Outcome{}, fmt.Errorf("sent cmd=%s in the name of rank %d", m.Cmd, tally.Rank)
	}
	return Outcome{Tally: &tally}, nil
}

func (s *Server) lastWords(_ int, m Message) (Outcome, error) {
	word, _ := m.Get("text")
	text, err := Unescape(word)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{LastWords: &text}, nil
}

// Departure says what the end of a rank's process means for the others, whatever its exit code.
type Departure int

// The departures.
const (
	Harmless    Departure = iota // nobody waits for it: it finalised, or nobody has joined
	Unfinalised                  // it left between init and finalize
	NeverJoined                  // it left before init while others have joined and wait for it
)

// Exited takes note that rank's process has ended. It says nothing more and answers no one.
func (s *Server) Exited(rank int) Departure {
	s.ranks[rank].exited = true
	switch s.ranks[rank].phase {
	case Joined:
		return Unfinalised
	case Silent:
		for r := range s.ranks {
			if s.ranks[r].phase == Joined && !s.ranks[r].exited {
				return NeverJoined
			}
		}
	}
	return Harmless
}
