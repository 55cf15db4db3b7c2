package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/weft-mpi/weft/internal/cluster"
)

// The test program plays other parts when this variable is set.
const part = "WEFT_CLUSTER_TEST"

func TestMain(m *testing.M) {
	switch name, argument, _ := strings.Cut(os.Getenv(part), " "); name {
	case "":
		os.Exit(m.Run())
	case "own":
		own()
	case "send":
		send(argument)
	case "keep":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if err := cluster.Keep(ctx, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "create":
		if _, err := cluster.Create(argument, cluster.Config{Hosts: 2}, keeper()); err != nil {
			os.Exit(1)
		}
	case "ask":
		ask(argument)
	case "visit":
		visit()
	}
}

// own makes a cluster, tells its processes and waits to be killed.
func own() {
	c, err := cluster.Up(context.Background(), cluster.Config{Hosts: 3})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for _, h := range c.Status().Hosts {
		fmt.Println(h.Pid)
	}
	fmt.Println("end")
	time.Sleep(time.Hour)
}

// ask sends a proper request to a keeper and tells what came back.
func ask(name string) {
	conn, err := net.Dial("unix", "@weft-cluster/"+name)
	if err != nil {
		fmt.Print(err)
		return
	}
	if _, err := conn.Write([]byte(`{"op":"status"}`)); err != nil {
		fmt.Print("no answer")
		return
	}
	text, err := io.ReadAll(conn)
	if err != nil || len(text) == 0 {
		text = []byte("no answer")
	}
	fmt.Printf("%s", text)
}

// datagrams is how many send sends.
const datagrams = 4000

func send(to string) {
	address, err := net.ResolveUDPAddr("udp", to)
	if err != nil {
		panic(err)
	}
	// Not connected, so that no answer matters.
	socket, err := net.ListenUDP("udp", nil)
	if err != nil {
		panic(err)
	}
	for range datagrams {
		if _, err := socket.WriteTo(make([]byte, 100), address); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

// on runs a command on a host and returns what it printed. The test ends if it fails.
func on(t *testing.T, c *cluster.Cluster, host string, args ...string) string {
	t.Helper()
	text, err := c.Command(host, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %s: %v\n%s", host, strings.Join(args, " "), err, text)
	}
	return strings.TrimSpace(string(text))
}

// answers tells whether one host reaches another by ssh, and gives it the time that a busy machine takes.
func answers(c *cluster.Cluster, from, to string) bool {
	return c.Command(from, "ssh", "-o", "ConnectTimeout=20", to, "true").Run() == nil
}

// silent tells whether one host does not reach another by ssh within a second.
func silent(c *cluster.Cluster, from, to string) bool {
	return c.Command(from, "ssh", "-o", "ConnectTimeout=1", to, "true").Run() != nil
}

// eventually polls until a condition holds, and ends the test if it never does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never happened: %s", what)
}

func gone(pid int) bool {
	_, err := os.Stat("/proc/" + strconv.Itoa(pid))
	return os.IsNotExist(err)
}

// children lists the child processes of a process; one that has ended has none.
func children(t *testing.T, pid int) []int {
	t.Helper()
	var found []int
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lists {
		list, _ := os.ReadFile(path) // a thread may have ended meanwhile
		for _, word := range strings.Fields(string(list)) {
			child, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, child)
		}
	}
	return found
}

// traces lists what a cluster could leave behind: ssh servers below this process, mounts of this process, files of
// this kind, network namespaces that some process is in.
func traces(t *testing.T) []string {
	t.Helper()
	var found []string
	mounts, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	defer mounts.Close()
	for lines := bufio.NewScanner(mounts); lines.Scan(); {
		found = append(found, lines.Text())
	}
	for _, pid := range children(t, os.Getpid()) {
		found = append(found, strconv.Itoa(pid))
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if net, err := os.Readlink("/proc/self/task/" + task.Name() + "/ns/net"); err == nil && !slices.Contains(found, net) {
			found = append(found, net)
		}
	}
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range descriptors {
		target, _ := os.Readlink("/proc/self/fd/" + d.Name())
		if strings.HasPrefix(target, "net:") || strings.Contains(target, "memfd:") {
			found = append(found, target)
		}
	}
	slices.Sort(found)
	return found
}

// settled returns the traces when no thread of this process is elsewhere any more.
func settled(t *testing.T) (before []string) {
	t.Helper()
	eventually(t, "one network namespace", func() bool {
		before = traces(t)
		return len(slices.DeleteFunc(slices.Clone(before), func(s string) bool { return !strings.HasPrefix(s, "net:") })) == 1
	})
	return before
}

// leavesNothing waits until the traces are those of before.
func leavesNothing(t *testing.T, before []string) {
	t.Helper()
	var after []string
	for range 1000 {
		if after = traces(t); cmp.Equal(before, after) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("left behind:\n%s", cmp.Diff(before, after))
}
