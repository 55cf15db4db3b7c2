package boot

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/meet"
	"github.com/weft-mpi/weft/internal/munge"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/sched"
)

// managers is who serves a rank. Launchers that are not ours let their ranks find each other, at most; what such ranks
// need from then on they have from one of them. So a rank's end, or its abort, is noticed by the others whoever has
// started them.
type managers struct {
	client *pmi.Client   // what the rank talks to
	outer  *pmi.Client   // the launcher by which it has found that; nil: none, or client itself
	lead   *meet.Meeting // the manager, if it is in this process
}

// gatherLimit is how long ranks may take to come: schedulers start them at the same time, but for what their
// administrators have them do before.
const gatherLimit = 5 * time.Minute

// managed finds whoever serves this rank.
func (p *place) managed(set *Settings) (m managers, err error) {
	if p.starter == byStep {
		err = m.gather(p)
	} else {
		var conn io.ReadWriteCloser
		if conn, err = p.reach(); err != nil {
			return m, err
		}
		m.client = pmi.NewClient(conn, p.starter == byWeft)
		if err = m.client.Init(); err == nil && p.starter == byPMI && p.size > 1 {
			m.outer = m.client
			err = m.move(p, set)
		}
	}
	if err != nil {
		m.close()
		return m, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	return m, nil
}

// reach takes up the connection to the launcher. One that listens tells us only then which rank we are.
func (p *place) reach() (io.ReadWriteCloser, error) {
	if p.port != "" {
		conn, rank, size, err := pmi.Dial(p.port, p.id)
		if err == nil {
			err = os.Setenv(joinedVariable, p.portName())
		}
		if err != nil {
			return nil, fmt.Errorf("%w: PMI_PORT: %w. Start it with weft run -n N program, or unset PMI_PORT and PMI_ID to run alone", ErrLauncher, err)
		}
		p.rank, p.size, p.hosts, p.local = rank, size, 1, everybody(size)
		return conn, nil
	}
	conn, err := pmi.Inherit(p.pmiFD)
	if err != nil {
		return nil, fmt.Errorf("%w: PMI_FD: %w. Programs that a rank starts cannot join its job; "+
			"unset WEFT_LAUNCHER and PMI_FD for them", ErrLauncher, err)
	}
	return conn, nil
}

// close gives everything up.
func (m *managers) close() {
	for _, c := range []*pmi.Client{m.client, m.outer} {
		if c != nil {
			_ = c.Close()
		}
	}
	if m.lead != nil {
		m.lead.Wait() // the end of our own connection was the end of it
	}
}

// leave tells all that this rank needs nobody any more. Our own launcher goes on listening.
func (m *managers) leave(stay bool) error {
	err := m.client.Finalize()
	if m.lead != nil && err == nil {
		m.lead.Wait() // the others need us
	}
	if !stay {
		err = errors.Join(err, m.client.Close())
	}
	if m.outer != nil {
		err = errors.Join(err, m.outer.Finalize(), m.outer.Close())
	}
	return err
}

// abort asks for the end of the job.
func (m *managers) abort(code int, reason string) {
	err := m.client.Abort(code, reason)
	if m.lead != nil && err == nil {
		m.lead.Wait()           // the others hear why
		time.Sleep(time.Second) // and the user, from whoever waits in deserted, which ends the process
	}
}

// dismissed tells whether the leader has said that the job is over; it may be about to.
func (m *managers) dismissed() bool {
	select {
	case <-m.client.Gone():
	case <-time.After(time.Second):
	}
	var over *pmi.Over
	return errors.As(m.client.Cause(), &over)
}

// deserted ends the process of a rank whose manager is gone.
func (m *managers) deserted(p place) {
	var over *pmi.Over
	if errors.As(m.client.Cause(), &over) {
		if m.lead != nil {
			fmt.Fprintf(os.Stderr, "weft: the job is over: %s\n", over.Text)
		}
		os.Exit(over.Code)
	}
	switch {
	case p.starter == byWeft || p.size == 1:
		fmt.Fprintf(os.Stderr, "weft: rank %d: the launcher is gone\n", p.rank)
	default:
		fmt.Fprintf(os.Stderr, "weft: rank %d: the rank that all others listen to is gone: its process has ended, or its host is silent\n", p.rank)
	}
	os.Exit(1)
}

// found takes over the connection to the leader.
func (m *managers) found(conn net.Conn) error {
	m.client = pmi.NewMember(conn)
	return m.client.Init()
}

// led opens a meeting in this process.
func (m *managers) led(doors []net.Listener, job meet.Job, s meet.Secret) error {
	m.lead = meet.Lead(doors, job, s, map[string]string{pmi.JobKey: hex.EncodeToString(newKey())}, gatherLimit)
	return m.found(m.lead.Conn())
}

// gather has the tasks of a scheduler meet.
func (m *managers) gather(p *place) error {
	s := p.step
	at, secret, err := rendezvous(s, os.Getenv)
	if err != nil {
		return err
	}
	if err := os.Setenv(joinedVariable, s.Name); err != nil {
		return err
	}
	job := meet.Job{Name: s.Name, Rank: p.rank, Size: p.size}
	if !s.Leads {
		conn, err := meet.Join(context.Background(), job, at, secret, gatherLimit)
		if err != nil {
			return fmt.Errorf("%s has started this process as one of %d: %w", s.By, p.size, err)
		}
		return m.found(conn)
	}
	for _, a := range at {
		where := a.Where
		if a.Network == "tcp" { // others may know any address of ours
			_, port, _ := net.SplitHostPort(where)
			where = ":" + port
		}
		var door net.Listener
		if door, err = net.Listen(a.Network, where); err == nil {
			return m.led([]net.Listener{door}, job, secret)
		}
	}
	return fmt.Errorf("%s has started this process for others to find it, but it cannot listen: %w", s.By, err)
}

// rendezvous is where the ranks of a step look for their leader, and how they know each other: on one host by the user,
// as the kernel tells it; between hosts by a key, or by munge.
func rendezvous(s *sched.Step, get sched.Get) (at []meet.Address, secret meet.Secret, err error) {
	file := get(sched.KeyFileVariable)
	if s.OneHost && file == "" {
		for i := range s.Ports {
			at = append(at, meet.Address{Network: "unix", Where: fmt.Sprintf("@weft/%d/%s/%d", os.Getuid(), s.Name, i)})
		}
		return at, meet.SameUser{}, nil
	}
	for _, port := range s.Ports {
		at = append(at, meet.Address{Network: "tcp", Where: net.JoinHostPort(s.Leader, strconv.Itoa(port))})
	}
	if file != "" {
		secret, err = meet.KeyFile(file)
		return at, secret, err
	}
	daemon := munge.Daemon(munge.Socket)
	if _, err := os.Stat(string(daemon)); err != nil {
		return nil, nil, fmt.Errorf("%s has started this process as one of %d on several hosts, which need a secret in common, and there is no munge here (%w). "+
			"Name a file that only you can read, on all hosts, in %s; or use srun --mpi=pmi2, or weft run", s.By, s.Size, err, sched.KeyFileVariable)
	}
	return at, meet.Munge{Daemon: daemon}, nil
}

// meetKey is where rank 0 leaves where it listens, and the secret for it: whoever can read what the launcher keeps
// for the job can join it, as with any other library.
const meetKey = "weft-meet"

// addressesMax is how many addresses of rank 0 the others try.
const addressesMax = 4

// move has ranks that a PMI launcher serves meet. The launcher itself would not tell them of each other's end.
func (m *managers) move(p *place, set *Settings) error {
	job := meet.Job{Name: cmp.Or(os.Getenv("PMI_JOBID"), "pmi"), Rank: p.rank, Size: p.size}
	if p.rank == 0 {
		doors, err := openDoors(set)
		if err != nil {
			return err
		}
		key := meet.Key(hex.EncodeToString(newKey()))
		if err := m.led(doors, job, key); err != nil {
			return err
		}
		return errors.Join(m.outer.Put(meetKey, string(key)+","+writeAddresses(doors)), m.outer.Barrier())
	}
	if err := m.outer.Barrier(); err != nil {
		return err
	}
	text, found, err := m.outer.Get(meetKey)
	if err != nil || !found {
		return fmt.Errorf("rank 0 does not say where it is: %w", cmp.Or(err, errUnsaid))
	}
	key, list, _ := strings.Cut(text, ",")
	at, err := parseAddresses(list)
	if err != nil || len(key) < 32 {
		return fmt.Errorf("what rank 0 says of where it is makes no sense: %w", err)
	}
	conn, err := meet.Join(context.Background(), job, at, meet.Key(key), gatherLimit)
	if err != nil {
		return err
	}
	return m.found(conn)
}

// openDoors listens at the addresses that ranks of other hosts would use, or at the loopback where there are none.
func openDoors(set *Settings) (doors []net.Listener, err error) {
	all, err := interfaces()
	if err != nil {
		return nil, err
	}
	ours, err := chooseInterfaces(all, set.Iface, false, addressesMax)
	if err != nil {
		ours, err = chooseInterfaces(all, "", true, 1)
	}
	for _, i := range ours {
		var door net.Listener
		if door, err = net.Listen("tcp", netip.AddrPortFrom(i.net.Addr(), 0).String()); err == nil {
			doors = append(doors, door)
		}
	}
	if len(doors) == 0 {
		return nil, fmt.Errorf("cannot listen for the other ranks: %w", err)
	}
	return doors, nil
}

// writeAddresses writes where listeners are as ADDRESS/PORT,..., which passes every process manager.
func writeAddresses(doors []net.Listener) string {
	var words []string
	for _, d := range doors {
		at := d.Addr().(*net.TCPAddr).AddrPort()
		words = append(words, fmt.Sprintf("%v/%d", at.Addr().Unmap(), at.Port()))
	}
	return strings.Join(words, ",")
}

// parseAddresses reads what writeAddresses writes.
func parseAddresses(list string) (at []meet.Address, err error) {
	for word := range strings.SplitSeq(list, ",") {
		host, port, _ := strings.Cut(word, "/")
		addr, err := netip.ParseAddr(host)
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return nil, err
		}
		at = append(at, meet.Address{Network: "tcp", Where: netip.AddrPortFrom(addr, uint16(n)).String()})
	}
	return at, nil
}
