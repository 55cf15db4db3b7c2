package launch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

func TestJudge(t *testing.T) {
	exit := func(code int) status { return status{code: code} }
	for _, c := range []struct {
		name string
		s    status
		d    pmi.Departure
		code int
		ends bool
	}{
		{"well", exit(0), pmi.Harmless, 0, false},
		{"code after finalize", exit(4), pmi.Harmless, 4, false},
		{"code without finalize", exit(7), pmi.Unfinalised, 7, true},
		{"zero without finalize", exit(0), pmi.Unfinalised, 1, true},
		{"zero before init", exit(0), pmi.NeverJoined, 1, true},
		{"code before init", exit(3), pmi.NeverJoined, 3, true},
		{"signal", status{signal: unix.SIGSEGV}, pmi.Unfinalised, 139, true},
		{"signal of a plain program", status{signal: unix.SIGKILL}, pmi.Harmless, 137, true},
	} {
		if v := judge(c.s, c.d, false); v.code != c.code || v.endsJob != c.ends {
			t.Errorf("%s: got %+v, want code %d, ends %v", c.name, v, c.code, c.ends)
		}
	}
}

func TestAbortCode(t *testing.T) {
	for in, want := range map[int]int{42: 42, 0: 1, 300: 44, 256: 1, -1: 255, 255: 255} {
		if got := abortCode(in); got != want {
			t.Errorf("%d: got %d, want %d", in, got, want)
		}
	}
}

func TestSeverityOrder(t *testing.T) {
	order := []int{
		severity(status{signal: unix.SIGSEGV}, false),
		severity(status{code: 2}, true),
		severity(status{code: 1}, false),
		severity(status{}, true),
	}
	for i := 1; i < len(order); i++ {
		if order[i-1] >= order[i] {
			t.Errorf("severities %v do not rise", order)
		}
	}
}

func TestShares(t *testing.T) {
	siblings := func(cpu int) string { return []string{"0,4", "1,5", "2,6", "3,7"}[cpu%4] }
	eight := cores([]int{0, 1, 2, 3, 4, 5, 6, 7}, siblings)
	if diff := cmp.Diff([][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}, eight); diff != "" {
		t.Fatal(diff)
	}
	threads := cores([]int{0, 1, 2}, func(int) string { return "" })
	for _, c := range []struct {
		policy Bind
		groups [][]int
		n      int
		want   [][]int
	}{
		{BindCore, eight, 4, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
		{BindCore, eight, 2, [][]int{{0, 4, 1, 5}, {2, 6, 3, 7}}},
		{BindCore, eight, 3, [][]int{{0, 4}, {1, 5}, {2, 6}}},
		{BindCore, eight, 5, nil},
		{BindHWThread, threads, 2, [][]int{{0}, {1}}},
		{BindNone, eight, 2, nil},
	} {
		if diff := cmp.Diff(c.want, shares(c.policy, c.groups, c.n)); diff != "" {
			t.Errorf("%d ranks, policy %d: %s", c.n, c.policy, diff)
		}
	}
}

func TestEnvironment(t *testing.T) {
	p := position{job: "J", size: 6, hosts: 3, node: 1, host: "h1", ranks: []int{0, 1, 4}, compat: true}
	base := []string{"A=0", "WEFT_STALL=9s", "A=1", "PMI_FD=9", "PMIX_RANK=5", "OMPI_COMM_WORLD_RANK=5", "WEFT_RANK=5", "WEFT_STALL=1s", "WEFT_SHM_FD=7",
		"WEFT_HOST=old", "WEFT_HOSTS=9", "WEFT_NODE=8", "WEFT_LOCAL_RANKS=0-8"}
	env := p.environment(base, 2, []int{0})
	for _, want := range []string{"A=1", "WEFT_STALL=1s", "PMI_FD=3", "PMI_RANK=4", "PMI_SIZE=6", "PMI_JOBID=J", "WEFT_LAUNCHER=1",
		"WEFT_RANK=4", "WEFT_SIZE=6", "WEFT_LOCAL_RANK=2", "WEFT_LOCAL_SIZE=3", "WEFT_LOCAL_RANKS=0-1,4", "WEFT_HOSTS=3",
		"WEFT_NODE=1", "WEFT_HOST=h1", "WEFT_JOB=J", "OMPI_COMM_WORLD_RANK=4", "OMPI_COMM_WORLD_SIZE=6",
		"OMPI_COMM_WORLD_LOCAL_RANK=2", "OMPI_COMM_WORLD_LOCAL_SIZE=3", "OMPI_COMM_WORLD_NODE_RANK=2", "OMPI_UNIVERSE_SIZE=6",
		"MPI_LOCALRANKID=2", "MPI_LOCALNRANKS=3", "GOMAXPROCS=2"} {
		if n := strings.Count("\n"+strings.Join(env, "\n")+"\n", "\n"+want+"\n"); n != 1 {
			t.Errorf("%s is there %d times in %q", want, n, env)
		}
	}
	names := map[string]int{}
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if names[name]++; names[name] > 1 {
			t.Errorf("%s is there twice", name)
		}
		if name == "PMIX_RANK" || name == "WEFT_SHM_FD" {
			t.Errorf("%s is passed on", v)
		}
	}
	p.compat, p.segment = false, true
	if env := p.environment(base, 2, nil); !hasVariable(env, "WEFT_SHM_FD") {
		t.Errorf("no WEFT_SHM_FD in %q", env)
	}
	for _, v := range p.environment(base, 2, nil) {
		if strings.HasPrefix(v, "OMPI_") || strings.HasPrefix(v, "MPI_") || strings.HasPrefix(v, "GOMAXPROCS") {
			t.Errorf("%s is set although not wanted", v)
		}
	}
}

func TestJobCheck(t *testing.T) {
	prog := []string{"x"}
	for name, job := range map[string]Job{
		"nothing":       {},
		"no program":    {Specs: []Spec{{N: 1}}},
		"empty program": {Specs: []Spec{{N: 1, Argv: []string{""}}}},
		"no ranks":      {Specs: []Spec{{N: 0, Argv: prog}}},
		"too many":      {Specs: []Spec{{N: RanksMax, Argv: prog}, {N: 1, Argv: prog}}},
		"stdin to none": {Specs: []Spec{{N: 2, Argv: prog}}, StdinTo: 2},
		"stdin below":   {Specs: []Spec{{N: 2, Argv: prog}}, StdinTo: -3},
	} {
		if err := job.check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
