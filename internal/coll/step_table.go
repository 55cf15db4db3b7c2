package coll

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/plan"
)

// StepTable returns, for people, what an algorithm of Gather, Scatter, Allgather
// or Alltoall sends in each of its steps: a table per step with a line per rank
// and a column per port, which says to whom which blocks go. A block is named
// by the rank it comes from, in Scatter by the one it is for, in Alltoall by
// both. All ranks go in step, as if every message took the same time.
func StepTable(algorithm string, ranks int) (string, error) {
	a, known := Find(algorithm)
	if !known || ranks < 1 {
		return "", fmt.Errorf("coll: no algorithm %q for %d ranks", algorithm, ranks)
	}
	l := lockstep{lanes: map[[2]int]*steppedLane{}, ports: make([]steppedPort, ranks)}
	for rank := range ranks {
		c := Case{Op: a.Op, Rank: rank, Ranks: ranks, Bytes: labelLen, Ports: a.ports, Stripe: 1 << 30}
		if err := c.Validate(); err != nil {
			return "", err
		}
		if a.Op != Gather && a.Op != Scatter && a.Op != Allgather && a.Op != Alltoall || !a.Fits(c) {
			return "", fmt.Errorf("coll: no table of steps for %s on %d ranks", algorithm, ranks)
		}
		l.start(a.Plan(c), c)
	}
	var w strings.Builder
	fmt.Fprintf(&w, "%s on %d ranks\n", algorithm, ranks)
	for step := 1; ; step++ {
		moved := l.step()
		if len(moved) == 0 {
			return w.String(), nil
		}
		fmt.Fprintf(&w, "\nstep %d\n", step)
		printStep(&w, moved, ranks, a.Op)
	}
}

// printStep writes the table of one step.
func printStep(w *strings.Builder, moved []stepped, ranks int, op Op) {
	cells := make([][]string, ranks+1)
	columns := 0
	for _, m := range moved {
		columns = max(columns, m.port)
	}
	for i := range cells {
		cells[i] = make([]string, columns)
	}
	for j := range columns {
		cells[0][j] = fmt.Sprintf("port %d", j+1)
	}
	for _, m := range moved {
		cell := &cells[m.from+1][m.port-1]
		if *cell != "" {
			*cell += "; "
		}
		*cell += fmt.Sprintf("to %d: %s", m.to, labels(m.bytes, op))
	}
	wide := make([]int, columns)
	for _, row := range cells {
		for j, cell := range row {
			wide[j] = max(wide[j], len(cell))
		}
	}
	for i, row := range cells {
		line := "rank"
		if i > 0 {
			line = fmt.Sprintf("%4d", i-1)
		}
		for j, cell := range row {
			line += fmt.Sprintf("  %-*s", wide[j], cell)
		}
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// labelLen is the length of a block that says where it comes from and goes to.
const labelLen = 8

// label returns a block that says so.
func label(from, to int) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(from))
	return binary.BigEndian.AppendUint32(b, uint32(to))
}

// labels names the blocks of a message.
func labels(b []byte, op Op) string {
	var names []string
	for ; len(b) >= labelLen; b = b[labelLen:] {
		from, to := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
		switch op {
		case Alltoall:
			names = append(names, fmt.Sprintf("%d>%d", from, to))
		case Scatter:
			names = append(names, fmt.Sprint(to))
		default:
			names = append(names, fmt.Sprint(from))
		}
	}
	return strings.Join(names, " ")
}

// lockstep runs the plans of all ranks in step.
type lockstep struct {
	lanes map[[2]int]*steppedLane // from and to
	order [][2]int                // of the lanes, as they came into use
	ports []steppedPort
}

// stepped is a message that was sent in a step.
type stepped struct {
	from, to, port int
	bytes          []byte
	sent, came     int // the steps of the two plans
}

// steppedLane holds what is posted between two ranks and has not met.
type steppedLane struct {
	sends []stepped
	recvs []plannedRecv
}

type plannedRecv struct {
	into []byte
	step int
}

// steppedPort is one rank's plan.Port. Plans that share memory do not run here.
type steppedPort struct {
	plan.Port
	l    *lockstep
	rank int
	run  plan.Run
	bufs plan.Bufs
}

func (l *lockstep) start(p *plan.Plan, c Case) {
	lens := c.Lens()
	s := &l.ports[c.Rank]
	s.l, s.rank = l, c.Rank
	s.bufs = plan.Bufs{In: make([]byte, 0, lens.In), Out: make([]byte, lens.Out), Tmp: make([]byte, p.TmpLen)}
	for to := 0; len(s.bufs.In) < lens.In; to++ {
		s.bufs.In = append(s.bufs.In, label(c.Rank, to)...)
	}
	s.run.Start(p, &s.bufs, nil, s)
}

// step lets every message arrive that is posted at both ends.
func (l *lockstep) step() (moved []stepped) {
	for _, key := range l.order {
		for lane := l.lanes[key]; len(lane.sends) > 0 && len(lane.recvs) > 0; {
			m, r := lane.sends[0], lane.recvs[0]
			lane.sends, lane.recvs = lane.sends[1:], lane.recvs[1:]
			m.came = r.step
			copy(r.into, m.bytes)
			m.bytes = append([]byte(nil), m.bytes...)
			moved = append(moved, m)
		}
	}
	for _, m := range moved {
		l.ports[m.from].run.Done(m.sent, nil)
		l.ports[m.to].run.Done(m.came, nil)
	}
	return moved
}

func (l *lockstep) lane(from, to int) *steppedLane {
	key := [2]int{from, to}
	if l.lanes[key] == nil {
		l.lanes[key] = &steppedLane{}
		l.order = append(l.order, key)
	}
	return l.lanes[key]
}

func (s *steppedPort) Send(st *plan.Step, b []byte, step int) (gone bool) {
	lane := s.l.lane(s.rank, int(st.Peer))
	lane.sends = append(lane.sends, stepped{from: s.rank, to: int(st.Peer), port: max(int(st.Rail), 1), bytes: b, sent: step})
	return false
}

func (s *steppedPort) Recv(st *plan.Step, b []byte, step int) {
	lane := s.l.lane(int(st.Peer), s.rank)
	lane.recvs = append(lane.recvs, plannedRecv{b, step})
}

func (s *steppedPort) Copy(_ *plan.Step, dst, src []byte) { copy(dst, src) }
