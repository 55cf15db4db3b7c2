package sched

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// What scontrol show hostnames makes of the same lists.
func TestNodeList(t *testing.T) {
	for text, want := range map[string]string{
		"h1":                             "h1",
		"h[1-3]":                         "h1 h2 h3",
		"n[001-003,7],g[1-2]x[3-4],solo": "n001 n002 n003 n7 g1x3 g1x4 g2x3 g2x4 solo",
		"a.b-c[09-11].d":                 "a.b-c09.d a.b-c10.d a.b-c11.d",
		"h2,h1":                          "h2 h1",
	} {
		if got, err := NodeList(text); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", ",", "h1,", "h[", "h]", "h[1", "h[1-]", "h[3-1]", "h[x]", "h[]", "-h", "h 1", "h;1", "h[1-99999999]", "h[1-60000],g[1-60000]",
		"h[1-300][1-300]", "h[[1]]", "(null)", "h[1--2]"} {
		if got, err := NodeList(text); err == nil {
			t.Errorf("%q: %.40q", text, got)
		}
	}
}

func TestCounts(t *testing.T) {
	for text, want := range map[string]string{"3": "[3]", "3,1": "[3 1]", "4,1(x2)": "[4 1 1]", "2(x3)": "[2 2 2]"} {
		if got, err := Counts(text); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "x", "1,", "2(x", "2(x0)", "2(x3", "-1", "2(x9999999)", "1(y2)"} {
		if got, err := Counts(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// vars is an environment.
type vars map[string]string

func (v vars) get(name string) string { return v[name] }

func (v vars) with(name, value string) vars {
	c := vars{}
	for k, x := range v {
		c[k] = x
	}
	c[name] = value
	return c
}

// As seen with srun -N2 -n4 of Slurm 22.05.
var task = vars{"SLURM_JOB_ID": "5", "SLURM_STEP_ID": "0", "SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": "4", "SLURM_NODEID": "1", "SLURM_LOCALID": "0",
	"SLURM_STEP_NUM_NODES": "2", "SLURM_STEP_NODELIST": "h[1-2]", "SLURM_CLUSTER_NAME": "box", "SLURM_STEP_RESV_PORTS": "12004-12007"}

func TestSlurmStep(t *testing.T) {
	want := Step{By: "Slurm's srun", Name: "slurm.box.5.0.", Rank: 3, Size: 4, Leader: "h1", Ports: []int{12004, 12005, 12006, 12007}}
	for name, c := range map[string]struct {
		v    vars
		want func(*Step)
	}{
		"a task":       {task, func(*Step) {}},
		"the leader":   {task.with("SLURM_NODEID", "0"), func(s *Step) { s.Leads = true }},
		"its fellow":   {task.with("SLURM_NODEID", "0").with("SLURM_LOCALID", "1"), func(*Step) {}},
		"one host":     {task.with("SLURM_STEP_NUM_NODES", "1").with("SLURM_STEP_NODELIST", "h7"), func(s *Step) { s.OneHost, s.Leader = true, "h7" }},
		"a het job":    {task.with("SLURM_NODEID", "0").with("SLURMD_NODENAME", "h2"), func(*Step) {}},
		"its leader":   {task.with("SLURMD_NODENAME", "h1"), func(s *Step) { s.Leads = true }},
		"a second try": {task.with("SLURM_RESTART_COUNT", "1"), func(s *Step) { s.Name += "1" }},
	} {
		w := want
		c.want(&w)
		if got, found, err := SlurmStep(c.v.get); err != nil || !found || !reflect.DeepEqual(got, w) {
			t.Errorf("%s: %+v, %v, %v", name, got, found, err)
		}
	}
	a, _, err := SlurmStep(task.with("SLURM_STEP_RESV_PORTS", "").get)
	b, _, _ := SlurmStep(task.with("SLURM_STEP_RESV_PORTS", "").with("SLURM_PROCID", "0").get)
	other, _, _ := SlurmStep(task.with("SLURM_STEP_RESV_PORTS", "").with("SLURM_STEP_ID", "1").get)
	if err != nil || len(a.Ports) != portsMany || !reflect.DeepEqual(a.Ports, b.Ports) || reflect.DeepEqual(a.Ports, other.Ports) {
		t.Errorf("%v, %v, %v, %v", a.Ports, b.Ports, other.Ports, err)
	}
	for _, missing := range []string{"SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"} {
		if _, found, err := SlurmStep(task.with(missing, "").get); found || err != nil {
			t.Errorf("a task without %s: %v, %v", missing, found, err)
		}
	}
	for name, value := range map[string]string{"SLURM_PROCID": "4", "SLURM_STEP_NUM_TASKS": "many", "SLURM_NODEID": "", "SLURM_LOCALID": "-1", "SLURM_STEP_NUM_NODES": "0",
		"SLURM_STEP_NODELIST": "h[1", "SLURM_STEP_RESV_PORTS": "70000"} {
		if s, found, err := SlurmStep(task.with(name, value).get); !found || err == nil || !strings.Contains(err.Error(), "srun's variables are damaged") {
			t.Errorf("%s=%s: %+v, %v", name, value, s, err)
		}
	}
}

func FuzzNodeList(f *testing.F) {
	f.Add("n[001-003,7],g[1-2]x[3-4],solo")
	f.Add("4,1(x2)")
	f.Fuzz(func(t *testing.T, text string) {
		if names, err := NodeList(text); err == nil {
			if len(names) == 0 || len(names) > nodesMax {
				t.Fatal(len(names))
			}
			for _, name := range names {
				if name == "" || name[0] == '-' || !hostLetters(name) {
					t.Fatalf("%q", name)
				}
			}
		}
		if n, err := Counts(text); err == nil && (len(n) == 0 || len(n) > nodesMax) {
			t.Fatal(len(n))
		}
	})
}
