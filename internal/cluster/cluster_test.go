package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

// TestHostsAreApart looks at everything a host has of its own.
func TestHostsAreApart(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 2, Rails: 8, MTU: 1400, Path: "/opt/here:/usr/bin:/bin"})
	dir, mine := t.TempDir(), unique("file")
	t.Chdir(dir)
	for i, host := range c.Hosts() {
		for _, want := range []struct {
			what string
			args []string
			want string
		}{
			{"its name", []string{"hostname"}, host},
			{"its name in a file", []string{"cat", "/etc/hostname"}, host},
			{"the directory of the caller", []string{"pwd"}, dir},
			{"its interfaces", []string{"ls", "-m", "-w", "200", "/sys/class/net"}, "eth0, eth1, eth2, eth3, eth4, eth5, eth6, eth7, lo"},
			{"the MTU", []string{"cat", "/sys/class/net/eth7/mtu"}, "1400"},
			{"its first process", []string{"cat", "/proc/1/comm"}, "sshd"},
			{"empty shared memory", []string{"ls", "/dev/shm"}, ""},
		} {
			if got := on(t, c, host, want.args...); got != want.want {
				t.Errorf("%s: %s: got %q, want %q", host, want.what, got, want.want)
			}
		}
		on(t, c, host, "touch", "/dev/shm/"+mine, "/run/"+mine)
		want := fmt.Sprintf("10.77.7.%d/24", 1+i)
		if got := on(t, c, host, "ip", "-br", "address", "show", "eth7"); !strings.Contains(got, want) {
			t.Errorf("%s: eth7 has %s, want %s", host, got, want)
		}
	}
	for _, path := range []string{"/dev/shm/" + mine, "/run/" + mine, "/run/weft-host"} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s can be seen outside", path)
		}
	}
	if got, want := on(t, c, "h0", "ssh", "h1", "echo $PATH"), "/opt/here:/usr/bin:/bin"; got != want {
		t.Errorf("PATH of ssh commands: %s, want %s", got, want)
	}
	for _, rail := range []int{0, 1, 7} {
		if got := on(t, c, "h0", "ssh", fmt.Sprintf("h1-r%d", rail), "hostname; echo $SSH_CONNECTION"); !strings.Contains(got, "h1\n10.77."+strconv.Itoa(rail)+".1 ") {
			t.Errorf("rail %d: %s", rail, got)
		}
	}
	if got, want := c.Addr("h1", 7).String(), "10.77.7.2"; got != want {
		t.Errorf("address %s, want %s", got, want)
	}
	if got, want := c.Status().Hostfile(2), "h0 slots=2\nh1 slots=2\n"; got != want {
		t.Errorf("hostfile %q, want %q", got, want)
	}
}

// TestHomeIsQuiet hides a user's start-up files and keys from the hosts.
func TestHomeIsQuiet(t *testing.T) {
	clustertest.Need(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".bashrc", ".profile", ".ssh/config", "data"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte("echo noise\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := clustertest.Up(t, cluster.Config{Hosts: 1})
	if got := on(t, c, "h0", "sh", "-c", "cat ~/.bashrc ~/.profile; ls ~/.ssh"); got != "" {
		t.Errorf("seen: %s", got)
	}
	if got := on(t, c, "h0", "sh", "-c", "cat ~/data"); got != "echo noise" {
		t.Errorf("the rest of the home directory is gone, too: %s", got)
	}
}

// TestCommand runs commands on a host: input, exit codes, and an end together with the process that stands for them.
func TestCommand(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 1})
	cat := c.Command("h0", "cat")
	cat.Stdin = strings.NewReader("some words")
	if text, err := cat.Output(); err != nil || string(text) != "some words" {
		t.Errorf("cat: %q, %v", text, err)
	}
	var exit *exec.ExitError
	if err := c.Command("h0", "sh", "-c", "exit 7").Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("exit 7: %v", err)
	}
	for _, cmd := range []*exec.Cmd{c.Command("h1", "true"), c.Command("h0"), c.Command("x", "true"), c.Command("h00", "true")} {
		if err := cmd.Run(); err == nil {
			t.Errorf("%v ran", cmd.Args)
		}
	}
	sleep := c.Command("h0", "sleep", "1000")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	sleeps := func() bool { return c.Command("h0", "pgrep", "-x", "sleep").Run() == nil }
	eventually(t, "sleep starts", sleeps)
	sleep.Process.Kill()
	sleep.Wait()
	eventually(t, "sleep ends", func() bool { return !sleeps() })
}

// TestStart sends a signal to a command on a host.
func TestStart(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 1})
	cmd := exec.Command("sh", "-c", "trap 'hostname; exit 5' TERM; echo ready; while :; do sleep 0.01; done")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start("h0", cmd); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 100)
	n, _ := out.Read(buffer)
	cmd.Process.Signal(syscall.SIGTERM)
	m, _ := out.Read(buffer[n:])
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 5 || string(buffer[:n+m]) != "ready\nh0\n" {
		t.Errorf("%q, %v", buffer[:n+m], err)
	}
}

// TestDownLeavesNothing compares what this process holds before and after, with a host whose first process was killed
// by somebody else and two clusters at the same time.
func TestDownLeavesNothing(t *testing.T) {
	clustertest.Need(t)
	before := settled(t)
	one := clustertest.Up(t, cluster.Config{Hosts: 2, Rails: 2, Loss: 1, Rate: cluster.Gbit, NoOffload: true})
	two := clustertest.Up(t, cluster.Config{Hosts: 2})
	if len(traces(t)) <= len(before) {
		t.Fatal("the test does not see a cluster")
	}
	sleep := one.Command("h0", "setsid", "sleep", "1000")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	pid := one.Status().Hosts[1].Pid
	syscall.Kill(pid, syscall.SIGKILL)
	eventually(t, "the cluster notices", func() bool { return one.Status().Hosts[1].Pid == 0 })
	if err := one.Command("h1", "true").Run(); err == nil {
		t.Error("a command ran on a dead host")
	}
	one.Down()
	one.Down()
	sleep.Wait()
	if !answers(two, "h0", "h1") {
		t.Error("the other cluster suffered")
	}
	two.Down()
	if err := two.Cut("h0", 0); err == nil {
		t.Error("a wire was cut after the end")
	}
	leavesNothing(t, before)
}

// TestOwnerDies kills the process that holds a cluster. Nobody is left to tidy up, and nothing must be left.
func TestOwnerDies(t *testing.T) {
	clustertest.Need(t)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), part+"=own")
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	for buffer := make([]byte, 100); !strings.Contains(told.String(), "end"); {
		n, err := out.Read(buffer)
		if err != nil {
			t.Fatalf("%v: %s", err, told.String())
		}
		told.Write(buffer[:n])
	}
	owner.Process.Kill()
	owner.Wait()
	words := strings.Fields(told.String())
	if len(words) != 4 {
		t.Fatalf("the owner said %q", words)
	}
	for _, word := range words[:3] {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "process "+word+" ends", func() bool { return gone(pid) })
	}
}

// TestUpInterrupted ends the making of clusters at many moments.
func TestUpInterrupted(t *testing.T) {
	clustertest.Need(t)
	before := settled(t)
	for wait := time.Duration(0); wait < 100*time.Millisecond; wait += 7 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		if c, err := cluster.Up(ctx, cluster.Config{Hosts: 2}); err == nil {
			c.Down()
		}
		cancel()
	}
	leavesNothing(t, before)
}

// TestSshServerRefuses shows that the reason of a failed start is told, and that nothing is left.
func TestSshServerRefuses(t *testing.T) {
	clustertest.Need(t)
	dir := t.TempDir()
	script := "#!/bin/sh\necho this one cannot listen >&2\nexit 3\n"
	if err := os.WriteFile(filepath.Join(dir, "sshd"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	before := settled(t)
	_, err := cluster.Up(t.Context(), cluster.Config{Hosts: 2})
	if err == nil || !strings.Contains(err.Error(), "this one cannot listen") {
		t.Errorf("error %v", err)
	}
	leavesNothing(t, before)
}
