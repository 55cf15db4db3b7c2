package pmi

import (
	"fmt"
	"math"
	"strconv"
)

// In a job that survives the death of a process the launcher tells the others of it, and has them agree: it is told of
// every death, and outlives all of them. Each command is one line in one direction and has no answer; what follows
// from a ballot comes as a word, some time.
const (
	cmdUp      = "weft_up"     // rank to launcher: from now on I can live with the death of others
	cmdVote    = "weft_vote"   // rank to launcher: my part in an agreement
	cmdRevoke  = "weft_revoke" // rank to launcher: a communicator has come to its end; and back, to its living ranks
	cmdDead    = "weft_dead"   // launcher to rank: a process of the job has died
	cmdWord    = "weft_word"   // launcher to rank: what an agreement has come to
	keyRecover = "recover"     // in the answer to init: the job survives
)

// ranksMost bounds the ranks of a job as far as a client knows.
const ranksMost = 1 << 16

// Ballot is what a rank brings to an agreement; package council says what its fields mean.
type Ballot struct {
	Comm    uint32
	Kind    uint8
	Seq     uint32
	Last    bool
	Members []int
	Flags   uint64
	Known   []int
	Number  uint32
}

// Word is what an agreement has come to; package council says what its fields mean.
type Word struct {
	Comm   uint32
	Kind   uint8
	Seq    uint32
	Flags  uint64
	Absent []int
	Dead   []int
	News   []int
	Number uint32
}

// Revocation says that a communicator has come to its end, for its members.
type Revocation struct {
	Comm    uint32
	Members []int // of what a rank says only
}

// Notice is what a launcher tells a rank unasked. One of the pointers is set.
type Notice struct {
	Dead    *int
	Word    *Word
	Revoked *uint32
}

func hex64(n uint64) string { return strconv.FormatUint(n, 16) }

// ballotMessage writes a ballot as a line.
func ballotMessage(b Ballot) Message {
	return NewMessage(cmdVote,
		"comm", hex64(uint64(b.Comm)), "kind", hex64(uint64(b.Kind)), "seq", hex64(uint64(b.Seq)),
		"last", strconv.FormatBool(b.Last), "members", FormatRanks(b.Members), "flags", hex64(b.Flags),
		"known", FormatRanks(b.Known), "number", hex64(uint64(b.Number)))
}

// parseBallot reads what ballotMessage writes, for a job of size ranks.
func parseBallot(m Message, size int) (Ballot, error) {
	p := fieldParser{m: m}
	b := Ballot{
		Comm: p.word32("comm"), Kind: uint8(p.hex("kind", math.MaxUint8)), Seq: p.word32("seq"),
		Last: p.bool("last"), Members: p.ranks("members", size), Flags: p.hex("flags", math.MaxUint64),
		Known: p.ranks("known", size), Number: p.word32("number"),
	}
	return b, p.err
}

// WordMessage is the line that tells a rank a word.
func WordMessage(w Word) Message {
	return NewMessage(cmdWord,
		"comm", hex64(uint64(w.Comm)), "kind", hex64(uint64(w.Kind)), "seq", hex64(uint64(w.Seq)), "flags", hex64(w.Flags),
		"absent", FormatRanks(w.Absent), "dead", FormatRanks(w.Dead), "news", FormatRanks(w.News),
		"number", hex64(uint64(w.Number)))
}

// DeadMessage is the line that tells a rank of the death of another.
func DeadMessage(rank int) Message { return NewMessage(cmdDead, "rank", strconv.Itoa(rank)) }

// RevokedMessage is the line that tells a rank that a communicator has been revoked.
func RevokedMessage(comm uint32) Message {
	return NewMessage(cmdRevoke, "comm", hex64(uint64(comm)))
}

// parseNotice reads what the launcher says; ok is false if it is no notice.
func parseNotice(m Message) (n Notice, ok bool, err error) {
	p := fieldParser{m: m}
	switch m.Cmd {
	case cmdDead:
		n.Dead = new(p.number("rank", 0, ranksMost))
	case cmdRevoke:
		n.Revoked = new(p.word32("comm"))
	case cmdWord:
		n.Word = &Word{
			Comm: p.word32("comm"), Kind: uint8(p.hex("kind", math.MaxUint8)), Seq: p.word32("seq"),
			Flags: p.hex("flags", math.MaxUint64), Absent: p.ranks("absent", ranksMost),
			Dead: p.ranks("dead", ranksMost), News: p.ranks("news", ranksMost), Number: p.word32("number"),
		}
	default:
		return n, false, nil
	}
	return n, true, p.err
}

// hex reads a number in hexadecimal, up to most.
func (p *fieldParser) hex(key string, most uint64) uint64 {
	n, err := strconv.ParseUint(p.word(key), 16, 64)
	if err != nil || n > most {
		p.fail(key, fmt.Sprintf("want a hexadecimal number up to %x", most))
	}
	return n
}

func (p *fieldParser) bool(key string) bool {
	b, err := strconv.ParseBool(p.word(key))
	if err != nil {
		p.fail(key, "want true or false")
	}
	return b
}

func (p *fieldParser) word32(key string) uint32 { return uint32(p.hex(key, math.MaxUint32)) }

// Recovers tells whether the job survives the death of a process. Only Weft's own launcher offers that; Init has asked.
func (c *Client) Recovers() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recovers
}

// OnNotice sets the function that is told what the launcher says unasked, in that order. It runs on the reader's
// goroutine and must not wait for anything. It comes before Up.
func (c *Client) OnNotice(f func(Notice)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onNotice = f
}

// Up tells that this rank can live with the death of others from now on. One-way.
func (c *Client) Up() error { return c.send(NewMessage(cmdUp)) }

// Vote brings a ballot. One-way; the word comes as a notice. Members too scattered for one line are an error.
func (c *Client) Vote(b Ballot) error { return c.send(ballotMessage(b)) }

// Revoke has a communicator revoked at all of its members that live, this rank among them. One-way.
func (c *Client) Revoke(r Revocation) error {
	return c.send(NewMessage(cmdRevoke, "comm", hex64(uint64(r.Comm)), "members", FormatRanks(r.Members)))
}

// up notes that a rank can live with the death of others.
func (s *Server) up(rank int, _ Message) (Outcome, error) {
	if !s.ranks[rank].up {
		s.ranks[rank].up = true
		s.ups++
	}
	return Outcome{}, nil
}

// AllUp tells whether all ranks have said that they can live with the death of others.
func (s *Server) AllUp() bool { return s.ups == len(s.ranks) }

// vote passes a ballot on. Members are read once for all that name the same.
func (s *Server) vote(_ int, m Message) (Outcome, error) {
	text, _ := m.Get("members")
	known := text != "" && text == s.members.text
	if known {
		for i := range m.Fields {
			if m.Fields[i].Key == "members" {
				m.Fields[i].Value = ""
			}
		}
	}
	b, err := parseBallot(m, s.cfg.Size)
	if err != nil {
		return Outcome{}, err
	}
	if known {
		b.Members = s.members.ranks
	} else {
		s.members.text, s.members.ranks = text, b.Members
	}
	return Outcome{Ballot: &b}, nil
}

func (s *Server) revoke(_ int, m Message) (Outcome, error) {
	p := fieldParser{m: m}
	r := Revocation{Comm: p.word32("comm"), Members: p.ranks("members", s.cfg.Size)}
	return Outcome{Revocation: &r}, p.err
}

// Bury takes note that a rank is dead and the others go on: nobody waits for it any more, and nothing that it has said
// and that is still to be handled counts.
func (s *Server) Bury(rank int) Outcome {
	r := &s.ranks[rank]
	if r.buried {
		return Outcome{}
	}
	r.buried = true
	s.buried++
	if r.inBarrier {
		r.inBarrier = false
		s.waiting--
	}
	return s.openBarrier()
}
