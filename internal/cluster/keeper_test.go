package cluster_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
	"golang.org/x/sys/unix"
)

// unique is a name that no other run of the tests uses.
func unique(name string) string { return fmt.Sprintf("test-%s-%d", name, os.Getpid()) }

func keeper() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), part+"=keep")
	return cmd
}

// create makes a named cluster that ends with the test.
func create(t *testing.T, name string, config cluster.Config) cluster.Status {
	t.Helper()
	clustertest.Need(t)
	s, err := cluster.Create(name, config, keeper())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cluster.Ask(name, cluster.Request{Op: cluster.OpEnd}) })
	return s
}

func listed(t *testing.T, name string) bool {
	t.Helper()
	names, err := cluster.Names()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Contains(names, name)
}

// TestNamedCluster makes one, asks for everything that can be asked, and ends it.
func TestNamedCluster(t *testing.T) {
	name := unique("all")
	before := create(t, name, cluster.Config{Hosts: 2, Rails: 2})
	ask := func(r cluster.Request) cluster.Status {
		t.Helper()
		s, err := cluster.Ask(name, r)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if !listed(t, name) {
		t.Error("the cluster is not listed")
	}
	if _, err := cluster.Create(name, cluster.Config{Hosts: 1}, keeper()); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second one of the same name: %v", err)
	}
	if s := ask(cluster.Request{Op: cluster.OpCut, Host: "h1", Rail: 1}); s.Hosts[1].Wires[0].Cut || !s.Hosts[1].Wires[1].Cut {
		t.Errorf("cut: %+v", s.Hosts[1])
	}
	if s := ask(cluster.Request{Op: cluster.OpHeal, Host: "h1", Rail: cluster.AllRails}); s.Hosts[1].Wires[1].Cut {
		t.Errorf("heal: %+v", s.Hosts[1])
	}
	if s := ask(cluster.Request{Op: cluster.OpLoss, Host: "h0", Rail: 0, Loss: 1}); s.Hosts[0].Wires[0].Loss != 1 || s.Hosts[0].Wires[1].Loss != 0 {
		t.Errorf("loss: %+v", s.Hosts[0])
	}
	if s := ask(cluster.Request{Op: cluster.OpRate, Host: "h0", Rail: 1, Rate: cluster.Gbit}); s.Hosts[0].Wires[1].Rate != cluster.Gbit {
		t.Errorf("rate: %+v", s.Hosts[0])
	}
	if s := ask(cluster.Request{Op: cluster.OpKill, Host: "h1"}); s.Hosts[1].Pid != 0 || s.Hosts[1].Wires[0].Cut {
		t.Errorf("kill: %+v", s.Hosts[1])
	}
	if s := ask(cluster.Request{Op: cluster.OpCrash, Host: "h1"}); !s.Hosts[1].Wires[0].Cut {
		t.Errorf("crash: %+v", s.Hosts[1])
	}
	if err := cluster.StartOn(name, "h1", exec.Command("true")); err == nil || !strings.Contains(err.Error(), "h1 is down") {
		t.Errorf("a command on a host that is down: %v", err)
	}
	if s := ask(cluster.Request{Op: cluster.OpBoot, Host: "h1"}); s.Hosts[1].Pid == 0 || s.Hosts[1].Wires[0].Cut {
		t.Errorf("boot: %+v", s.Hosts[1])
	}
	for _, r := range []cluster.Request{{Op: "dance"}, {Op: cluster.OpCut, Host: "h2"}, {Op: cluster.OpCut, Host: "h1", Rail: 7}} {
		if _, err := cluster.Ask(name, r); err == nil {
			t.Errorf("%+v was answered", r)
		}
	}
	startOn(t, name)
	ask(cluster.Request{Op: cluster.OpEnd})
	if listed(t, name) || !gone(before.Hosts[0].Pid) {
		t.Error("the cluster is still there")
	}
	if _, err := cluster.Ask(name, cluster.Request{Op: cluster.OpShow}); err == nil {
		t.Error("a cluster answered after its end")
	}
}

// A keeper does not hold what its maker had inherited: whoever reads from a pipe of which that was an end
// hears the end of it.
func TestKeeperInheritsNothing(t *testing.T) {
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_NONBLOCK); err != nil { // which others inherit
		t.Fatal(err)
	}
	defer unix.Close(pipe[0])
	create(t, unique("heir"), cluster.Config{Hosts: 1})
	unix.Close(pipe[1])
	if n, err := unix.Read(pipe[0], make([]byte, 1)); n != 0 || err != nil {
		t.Errorf("somebody still has the other end: %d, %v", n, err)
	}
}

// startOn runs a command on a host of a named cluster.
func startOn(t *testing.T, name string) {
	t.Helper()
	cmd := exec.Command("hostname")
	out, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = out
	if err := cluster.StartOn(name, "h1", cmd); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if text, _ := os.ReadFile(out.Name()); string(text) != "h1\n" {
		t.Errorf("hostname says %q", text)
	}
}

// TestNonsenseToKeeper says things to the keeper that nobody should.
func TestNonsenseToKeeper(t *testing.T) {
	name := unique("nonsense")
	create(t, name, cluster.Config{Hosts: 1})
	for _, text := range []string{"", "x", "[1]", `{"op":7}`, `{"op":"cut","host":"h0","rail":99999999999999999999}`, strings.Repeat("{", 100000)} {
		conn, err := net.Dial("unix", "@weft-cluster/"+name)
		if err != nil {
			t.Fatal(err)
		}
		// The keeper may stop reading before the end, and closes then.
		_, _ = conn.Write([]byte(text))
		_ = conn.(*net.UnixConn).CloseWrite()
		var reply struct{ Error string }
		if err := json.NewDecoder(conn).Decode(&reply); err == nil && reply.Error == "" {
			t.Errorf("%.20q was taken for a request", text)
		}
		conn.Close()
	}
	if s, err := cluster.Ask(name, cluster.Request{Op: cluster.OpShow}); err != nil || s.Hosts[0].Pid == 0 {
		t.Errorf("after nonsense: %v", err)
	}
}

// TestStrangerAsksKeeper connects as another user, to whom the keeper says nothing.
func TestStrangerAsksKeeper(t *testing.T) {
	name := unique("stranger")
	create(t, name, cluster.Config{Hosts: 1})
	stranger := exec.Command(os.Args[0])
	stranger.Env = append(os.Environ(), part+"=ask "+name)
	stranger.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	stranger.Dir = "/"
	// The program may lie where another user cannot look.
	self, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	stranger.ExtraFiles = []*os.File{self}
	stranger.Path = "/proc/self/fd/3"
	if text, err := stranger.CombinedOutput(); err != nil || string(text) != "no answer" {
		t.Errorf("%v %s", err, text)
	}
}

// TestCreatorKilled kills the one who ordered a cluster, and in every other round its keeper, at many moments of the
// making. This process inherits whatever is left without a parent, so it would see it.
func TestCreatorKilled(t *testing.T) {
	clustertest.Need(t)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	defer unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	name := unique("young")
	for round := range 20 {
		creator := exec.Command(os.Args[0])
		creator.Env = append(os.Environ(), part+"=create "+name)
		if err := creator.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(4*round) * time.Millisecond)
		if round%2 == 1 {
			for _, pid := range children(t, creator.Process.Pid) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		creator.Process.Kill()
		creator.Wait()
		if listed(t, name) {
			// It was made before the shot.
			cluster.Ask(name, cluster.Request{Op: cluster.OpEnd})
		}
		eventually(t, "all processes end", func() bool {
			left := children(t, os.Getpid())
			for _, pid := range left {
				syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			}
			return len(left) == 0
		})
		if listed(t, name) {
			t.Fatalf("round %d: the cluster is still there", round)
		}
	}
}

// TestCreatorDies has one who orders a cluster and does not live to confirm it; the keeper must give up.
func TestCreatorDies(t *testing.T) {
	clustertest.Need(t)
	name := unique("orphan")
	for _, order := range []string{"", "{", `{"name":"` + name + `","config":{"hosts":2}}`} {
		cmd := keeper()
		cmd.Stdin = strings.NewReader(order) // which ends without a confirmation
		text, _ := cmd.CombinedOutput()
		if listed(t, name) {
			t.Errorf("order %q: the cluster lives: %s", order, text)
		}
	}
}

// TestKeeperDies kills a keeper, and all must be gone.
func TestKeeperDies(t *testing.T) {
	for _, how := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		clustertest.Need(t)
		name := unique("killed")
		cmd := keeper()
		status, err := cluster.Create(name, cluster.Config{Hosts: 2}, cmd)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Process.Signal(how)
		cmd.Wait()
		for _, h := range status.Hosts {
			eventually(t, h.Name+" ends", func() bool { return gone(h.Pid) })
		}
		if listed(t, name) {
			t.Error("the name is still taken")
		}
	}
}
