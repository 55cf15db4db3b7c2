package real

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

// slurm is a cluster in a box with a Slurm: its controller runs on h0, where users are, and h1 and so on take jobs.
type slurm struct {
	*cluster.Cluster
	dir, bin string
}

// patience is longer than anything takes.
const patience = 2 * time.Minute

// conf is what all hosts are told. Timeouts are short, so that tests see them pass.
const conf = `ClusterName=box
SlurmctldHost=h0
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
SwitchType=switch/none
StateSaveLocation=%[1]s/state
SlurmctldPidFile=/run/slurmctld.pid
SlurmdSpoolDir=/run/slurm/%%n
SlurmdPidFile=/run/slurmd-%%n.pid
SlurmctldLogFile=%[1]s/slurmctld.log
SlurmdLogFile=%[1]s/slurmd.%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=3
MaxArraySize=100
SchedulerParameters=bf_interval=1
NodeName=h[1-%[2]d] CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
%[3]s
`

// newSlurm makes one with so many hosts that take jobs, and waits until they do. more are further lines of slurm.conf.
func newSlurm(t *testing.T, nodes int, more string) *slurm {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "srun"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is not installed; make slurm does it", name)
		}
	}
	s := &slurm{dir: t.TempDir(), bin: binaries(t)}
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // never fails, by its documentation
	for name, text := range map[string]string{
		"slurm.conf": fmt.Sprintf(conf, s.dir, nodes, more), "cgroup.conf": "CgroupPlugin=cgroup/v1\n",
		"mpi.conf": "PMIxCliTmpDirBase=/run/pmix\n", "munge.key": string(key),
	} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(s.dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLURM_CONF", filepath.Join(s.dir, "slurm.conf"))
	s.Cluster = clustertest.Up(t, cluster.Config{Hosts: nodes + 1, Path: s.bin + ":" + os.Getenv("PATH")})
	for _, host := range s.Hosts() {
		s.boot(t, host)
	}
	s.ready(t, nodes)
	return s
}

// boot starts the daemons of a host. They end with it.
func (s *slurm) boot(t *testing.T, host string) {
	t.Helper()
	daemon := "slurmd"
	if host == "h0" {
		daemon = "slurmctld -c"
	}
	script := fmt.Sprintf(`mkdir -p /run/munge /run/slurm /run/pmix && chmod 755 /run/munge && cp %s/munge.key /run/munge.key &&
munged --force --socket=/run/munge/munge.socket.2 --key-file=/run/munge.key --seed-file=/run/munge.seed \
	--pid-file=/run/munged.pid --log-file=/run/munged.log </dev/null >/dev/null 2>&1 && %s </dev/null`, s.dir, daemon)
	if out, err := s.Command(host, "sh", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", host, err, out)
	}
}

// ready waits until so many hosts are idle.
func (s *slurm) ready(t *testing.T, nodes int) {
	t.Helper()
	var out []byte
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		out, _ = s.Command("h0", "sinfo", "-h", "-t", "idle", "-o", "%D").CombinedOutput()
		if strings.TrimSpace(string(out)) == fmt.Sprint(nodes) {
			return
		}
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "slurmctld.log"))
	t.Fatalf("of %d hosts these are idle: %s\n%s", nodes, out, log)
}

// binaries returns a directory with weft and the test's own program as prog, which behaves as rank_test.go says.
func binaries(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "weft"), "../../../cmd/weft").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "prog"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run is a command on the login host, under way.
type run struct {
	s    *slurm
	cmd  *exec.Cmd
	out  lockedBuffer
	ends chan error
}

// start starts a command of the shell on h0; prog and weft are in its PATH.
func (s *slurm) start(t *testing.T, command string) *run {
	t.Helper()
	r := &run{s: s, cmd: exec.Command("/bin/sh", "-c", "exec "+command), ends: make(chan error, 1)}
	r.cmd.Env = append(os.Environ(), "PATH="+s.bin+":"+os.Getenv("PATH"))
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.out
	r.cmd.WaitDelay = 5 * time.Second
	if err := s.Start("h0", r.cmd); err != nil {
		t.Fatal(err)
	}
	go func() { r.ends <- r.cmd.Wait() }()
	return r
}

// code waits for the end and returns the exit code.
func (r *run) code(t *testing.T) int {
	t.Helper()
	select {
	case <-r.ends:
		return r.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		r.give(t)
		t.Fatalf("%v hangs:\n%s", r.cmd.Args, r.out.String())
		return -1
	}
}

// give gives up what was started, for other tests to have room.
func (r *run) give(t *testing.T) {
	_ = r.cmd.Process.Kill()
	if out, err := r.s.Command("h0", "scancel", "-u", "root").CombinedOutput(); err != nil {
		t.Errorf("scancel: %v\n%s", err, out)
	}
}

// await waits until the command has said something so often.
func (r *run) await(t *testing.T, what string, times int) {
	t.Helper()
	for end := time.Now().Add(patience); strings.Count(r.out.String(), what) < times; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			r.give(t)
			t.Fatalf("%v has not said %q %d times:\n%s", r.cmd.Args, what, times, r.out.String())
		}
	}
}

// nothingLeft fails if a rank or an agent is alive on a host after a while.
func (s *slurm) nothingLeft(t *testing.T) {
	t.Helper()
	const look = `for d in /proc/[0-9]*; do tr '\0' ' ' <$d/cmdline 2>/dev/null | grep -E '^([^ ]*/)?(prog|weft) ' || true; done; true`
	var left string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = ""
		for _, host := range s.Hosts() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			cmd := s.Command(host, "sh", "-c", look)
			out := new(bytes.Buffer)
			cmd.Stdout = out
			if cmd.Start() == nil {
				stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
				_ = cmd.Wait()
				stop()
			}
			cancel()
			if out.Len() > 0 {
				left += host + ": " + out.String()
			}
		}
		if left == "" {
			return
		}
	}
	t.Errorf("left behind:\n%s", left)
}
