package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
)

// bare runs the faulty program without a launcher and returns its exit code and what it printed and said.
func bare(t *testing.T, env []string, words ...string) (code int, output string) {
	t.Helper()
	dir, base := place(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if len(words) == 0 {
		words = []string{"faulty", "sum"}
	}
	words[0] = lookIn(t, dir, words[0])
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(base, env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	(&launcher{mark: []byte("FAULTS_MARK=" + dir)}).nothingLeft(t)
	return cmd.ProcessState.ExitCode(), string(out)
}

// lookIn returns the path of a program in dir or, failing that, in PATH.
func lookIn(t *testing.T, dir, name string) string {
	t.Helper()
	own := filepath.Join(dir, name)
	if _, err := os.Stat(own); err == nil {
		return own
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// Whatever stands in a setting, it is refused in words that name variable, value and remedy: by the launcher before it
// starts anything, and by a rank that has none.
func TestFaultGarbageInSettings(t *testing.T) {
	good, err := boot.ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range good.Values {
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			env := []string{info.Name + "=?garbage!"}
			want := []string{info.Name, `\?garbage!`, `must be|write operation=algorithm|the numbers are`}
			code, output := bare(t, env)
			if code == 0 || strings.Contains(output, "the sum is") {
				t.Errorf("alone: exit code %d:\n%s", code, output)
			}
			for _, w := range want {
				if !regexp.MustCompile(w).MatchString(output) {
					t.Errorf("alone: no %s in\n%s", w, output)
				}
			}
			r := faultJob{ranks: 2, env: env, program: "sum"}.start(t)
			if code := r.code(t); code == 0 || r.out.String() != "" {
				t.Errorf("under the launcher: exit code %d:\n%s", code, r.out.String())
			}
			r.nothingLeft(t)
			r.says(t, want...)
		})
	}
}

// A misspelt setting is remarked upon once, and the job runs.
func TestFaultMisspeltSetting(t *testing.T) {
	r := faultJob{ranks: 3, env: []string{"WEFT_STALLL=5"}, program: "sum"}.run(t, 0)
	r.printed(t, "the sum is 3\n", 3)
	if n := strings.Count(r.said.String(), "WEFT_STALLL"); n != 1 {
		t.Errorf("remarked %d times:\n%s", n, r.said.String())
	}
}

// The variables and descriptors between launcher and rank may be damaged on the way, here by env: the rank says which
// and what to do, and the job ends.
func TestFaultDamagedLauncherVariables(t *testing.T) {
	for _, c := range []struct {
		setting string
		says    []string
	}{
		{"WEFT_RANK=x", []string{`WEFT_RANK="x"`, `Unset WEFT_LAUNCHER`}},
		{"WEFT_RANK=-1", []string{`WEFT_RANK="-1"`, `Unset WEFT_LAUNCHER`}},
		{"WEFT_RANK=2", []string{`WEFT_RANK=2 is not below WEFT_SIZE=2`, `Unset WEFT_LAUNCHER`}},
		{"WEFT_SIZE=", []string{`WEFT_SIZE=""`, `Unset WEFT_LAUNCHER`}},
		{"WEFT_SIZE=99999999999999999999", []string{`WEFT_SIZE="9+"`, `Unset WEFT_LAUNCHER`}},
		{"WEFT_LOCAL_CPUS=many", []string{`WEFT_LOCAL_CPUS="many"`, `Unset WEFT_LAUNCHER`}},
		{"PMI_FD=99", []string{`PMI_FD`, `99 .*is not open`, `(?i)unset WEFT_LAUNCHER`}},
		{"PMI_FD=1", []string{`PMI_FD`, `descriptor 1 is no socket`, `(?i)unset WEFT_LAUNCHER`}},
		{"PMI_FD=three", []string{`PMI_FD="three"`, `Unset WEFT_LAUNCHER`}},
		{"WEFT_SHM_FD=77", []string{`WEFT_SHM_FD`, `77`, `(?i)unset WEFT_LAUNCHER`}},
		{"WEFT_SHM_FD=", []string{`WEFT_SHM_FD=""`, `Unset WEFT_LAUNCHER`}},
		{"FAULTS_SHM_FD=1", []string{`descriptor 4 of WEFT_SHM_FD`, `pipe|seek`, `(?i)unset WEFT_LAUNCHER`}},
		{"FAULTS_SHM_FD=2", []string{`descriptor 4 of WEFT_SHM_FD`, `not a segment`, `(?i)unset WEFT_LAUNCHER`}},
		{"FAULTS_SHM_FD=3", []string{`descriptor 4 of WEFT_SHM_FD`, `is not open`, `(?i)unset WEFT_LAUNCHER`}},
	} {
		t.Run(c.setting, func(t *testing.T) {
			t.Parallel()
			argv := []string{"-n", "1", "env", c.setting, "faulty", "sum", ":", "-n", "1", "faulty", "sum"}
			r := faultJob{argv: argv}.run(t, 1)
			r.says(t, append(c.says, `(?m)^weft: rank 0 \(pid \d+ on \S+\) exited with code 1`)...)
		})
	}
}

// A launcher that cannot be joined is a loud error, never N silent rank 0s.
func TestFaultForeignLauncher(t *testing.T) {
	for _, env := range []string{
		"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=2",
		"PMIX_RANK=1 PMIX_NAMESPACE=prterun-1",
		"SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4",
		"PMI_PORT=node1:4711 PMI_ID=2",
	} {
		t.Run(env, func(t *testing.T) {
			t.Parallel()
			code, output := bare(t, strings.Fields(env))
			if code == 0 || strings.Contains(output, "the sum is") {
				t.Errorf("exit code %d:\n%s", code, output)
			}
			if !strings.Contains(output, "cannot join the job") || !strings.Contains(output, "weft run") {
				t.Errorf("no cause or no remedy in:\n%s", output)
			}
			r := faultJob{ranks: 2, env: strings.Fields(env), program: "sum"}.run(t, 0) // our own launcher inside is the remedy
			r.printed(t, "of 2: the sum is 1\n", 2)
		})
	}
}

// A damaged environment of another launcher that speaks PMI is named, too.
func TestFaultDamagedPMI(t *testing.T) {
	for _, env := range []string{"PMI_FD=99 PMI_RANK=0 PMI_SIZE=2", "PMI_FD=x PMI_RANK=0 PMI_SIZE=2", "PMI_FD=1 PMI_RANK=5 PMI_SIZE=2"} {
		code, output := bare(t, strings.Fields(env))
		if code == 0 || !regexp.MustCompile(`PMI_(FD|RANK).*(?i)unset (WEFT_LAUNCHER and )?PMI_FD`).MatchString(output) {
			t.Errorf("%s: exit code %d:\n%s", env, code, output)
		}
	}
}

// A batch script is not one of several processes: the program runs as a single rank, and so it does by hand.
func TestFaultSingleRank(t *testing.T) {
	for _, env := range []string{"", "SLURM_JOB_ID=17 SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_NPROCS=4", "OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0"} {
		if code, output := bare(t, strings.Fields(env)); code != 0 || output != "rank 0 of 1: the sum is 0\n" {
			t.Errorf("%q: exit code %d:\n%s", env, code, output)
		}
	}
}

// A program that a rank starts cannot be that rank as well. It is told so, and what it is told helps.
func TestFaultProgramStartedByRank(t *testing.T) {
	t.Run("joins", func(t *testing.T) {
		r := faultJob{ranks: 2, program: "child faulty sum"}.run(t, 0)
		r.printed(t, "the child exited with code 1:", 1)
		r.printed(t, "Programs that a rank starts cannot join its job; unset WEFT_LAUNCHER and PMI_FD for them", 1)
	})
	t.Run("alone", func(t *testing.T) {
		r := faultJob{ranks: 2, program: "child env -u WEFT_LAUNCHER -u PMI_FD faulty sum"}.run(t, 0)
		r.printed(t, "the child exited with code 0:\nrank 0 of 1: the sum is 0\n", 1)
	})
	t.Run("launches", func(t *testing.T) {
		r := faultJob{ranks: 2, program: "child weft run --oversubscribe -n 3 faulty sum"}.run(t, 0)
		r.printed(t, "of 3: the sum is 3\n", 3)
	})
}

// Our ranks under another MPI's launcher.
func TestFaultUnderHydra(t *testing.T) {
	for _, way := range []string{"", "-pmi-port"} { // by an inherited socket, and at a port
		words := strings.Fields("mpiexec.hydra " + way + " -n 4 faulty sum")
		if code, output := bare(t, nil, words...); code != 0 || strings.Count(output, "of 4: the sum is 6\n") != 4 {
			t.Errorf("%v: exit code %d:\n%s", words, code, output)
		}
	}
}

// Several jobs at once in one directory do not meet.
func TestFaultSeveralJobs(t *testing.T) {
	for _, jobs := range []int{2, 4} {
		t.Run(strconv.Itoa(jobs), func(t *testing.T) {
			dir := t.TempDir()
			var runs []*faultRun
			for i := range jobs {
				words := "sum " + strconv.Itoa(1000*i)
				if i%2 == 1 {
					words = "collective 200"
				}
				runs = append(runs, faultJob{ranks: 3, dir: dir, program: words}.start(t))
			}
			for i, r := range runs {
				r.end(t, 0)
				if i%2 == 1 {
					r.printed(t, "all rounds right", 1)
				} else {
					r.printed(t, "the sum is "+strconv.Itoa(3+3000*i)+"\n", 3)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// privateMounts returns the command that gives a program mounts of its own.
func privateMounts(t *testing.T) []string {
	t.Helper()
	for _, command := range [][]string{{"unshare", "-m"}, {"unshare", "-r", "-m"}} {
		probe := append(append([]string{}, command...), "mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", "/dev/shm")
		if exec.Command(probe[0], probe[1:]...).Run() == nil {
			return command
		}
	}
	t.Skip("this machine lets nobody mount anything in a namespace of their own")
	return nil
}

// A /dev/shm without a free byte is nothing to a job: its shared memory has no file there. Nor does it make one.
func TestFaultSharedMemoryFull(t *testing.T) {
	const script = `mount -t tmpfs -o size=16k tmpfs /dev/shm || exit 90
cat /dev/zero >/dev/shm/filler 2>/dev/null && exit 91
: >/dev/shm/empty && echo x 2>/dev/null >/dev/shm/empty && exit 92
"$@"
code=$?
test "$(ls -A /dev/shm | tr '\n' ' ')" = "empty filler " || exit 93
exit $code`
	prefix := append(privateMounts(t), "sh", "-c", script, "sh")
	r := faultJob{ranks: 3, prefix: prefix, program: "collective 100"}.run(t, 0)
	r.printed(t, "all rounds right", 1)
	r = faultJob{ranks: 2, prefix: prefix, env: []string{"WEFT_CMA=off"}, program: "large 16 back"}.run(t, 0)
	r.printed(t, "16777216 bytes intact\n", 2)
}

// Ranks that may not touch each other's memory still exchange long messages, through the rings; nor do the settings
// about long messages change what arrives.
func TestFaultSingleCopyForbidden(t *testing.T) {
	for _, env := range []string{"FAULTS_SECCOMP=1", "WEFT_CMA=off", "WEFT_LAB_HELP=on", "WEFT_LAB_HELP=off", "FAULTS_SECCOMP=1 WEFT_LAB_HELP=on"} {
		for _, size := range []string{"1", "16"} {
			t.Run(env+" "+size, func(t *testing.T) {
				t.Parallel()
				r := faultJob{ranks: 2, env: strings.Fields(env), program: "large " + size + " back"}.run(t, 0)
				r.printed(t, "bytes intact\n", 2)
				if said := r.said.String(); said != "" {
					t.Errorf("said:\n%s", said)
				}
			})
		}
	}
}

// Only one of two ranks is forbidden to touch the other's memory: each must find out for itself.
func TestFaultSingleCopyForbiddenToOne(t *testing.T) {
	for _, rank := range []string{"0", "1"} {
		script := `test "$WEFT_RANK" = ` + rank + ` && export FAULTS_SECCOMP=1; exec faulty large 16 back`
		r := faultJob{argv: []string{"-n", "2", "sh", "-c", script}}.run(t, 0)
		r.printed(t, "16777216 bytes intact\n", 2)
	}
}

// Shared memory that does not fit into the address space of a rank, here by its size, elsewhere by
// ulimit -v: the rank says which settings make it smaller.
func TestFaultNoRoomForSharedMemory(t *testing.T) {
	r := faultJob{ranks: 8, flags: "--set arena=16384G", program: "sum"}.run(t, 1)
	r.says(t, `mapping \d+ bytes: cannot allocate memory\. .*lower WEFT_ARENA or WEFT_COLL_NODE`, `ulimit -v`)
	if strings.Contains(r.said.String(), "descriptor") {
		t.Errorf("speaks of descriptors:\n%s", r.said.String())
	}
}
