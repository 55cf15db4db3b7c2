package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/launch/launchtest"
)

// The parts of Kubernetes' objects that a manifest may have, with the types that its published schema gives them. What
// is not here is refused, as by a server that validates strictly.
type (
	meta struct {
		Name, Namespace string
		Labels          map[string]string
	}
	manifest struct {
		APIVersion, Kind string
		Items            []json.RawMessage
	}
	secretObject struct {
		APIVersion, Kind, Type string
		Metadata               meta
		Data                   map[string][]byte
	}
	serviceObject struct {
		APIVersion, Kind string
		Metadata         meta
		Spec             struct {
			ClusterIP                string
			PublishNotReadyAddresses bool
			Selector                 map[string]string
		}
	}
	jobObject struct {
		APIVersion, Kind string
		Metadata         meta
		Spec             struct {
			CompletionMode                         string
			Completions, Parallelism, BackoffLimit *int32
			Template                               struct {
				Metadata meta
				Spec     podObject
			}
		}
	}
	podObject struct {
		Subdomain, RestartPolicy string
		SecurityContext          struct{ FSGroup int64 }
		Containers               []struct {
			Name, Image  string
			Command      []string
			Env          []struct{ Name, Value string }
			Resources    struct{ Limits, Requests map[string]string }
			VolumeMounts []struct {
				Name, MountPath string
				ReadOnly        bool
			}
		}
		Volumes []struct {
			Name   string
			Secret struct {
				SecretName  string
				DefaultMode int32
			}
		}
	}
)

// fieldNames are those that Kubernetes' types have, and keys of the maps among them.
var fieldNames = strings.Fields(`apiVersion kind items metadata name namespace labels type data spec clusterIP publishNotReadyAddresses selector completionMode
	completions parallelism backoffLimit template subdomain restartPolicy securityContext fsGroup containers image command env value resources limits requests
	volumeMounts mountPath readOnly volumes secret secretName defaultMode app.kubernetes.io/managed-by weft-job key cpu memory`)

// strictly reads an object and fails on what its type does not have.
func strictly(t *testing.T, text []byte, into any) {
	t.Helper()
	for _, name := range regexp.MustCompile(`"([^"]+)":`).FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(fieldNames, name[1]) { // the decoder does not mind capitals, a server does
			t.Errorf("Kubernetes has no field %s", name[1])
		}
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

// written is the manifest of a command line.
func written(t *testing.T, line string) (s secretObject, v serviceObject, j jobObject) {
	t.Helper()
	o, err := parseK8s(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(o.manifest())
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	strictly(t, text, &m)
	if m.APIVersion != "v1" || m.Kind != "List" || len(m.Items) != 3 {
		t.Fatalf("%s", text)
	}
	strictly(t, m.Items[0], &s)
	strictly(t, m.Items[1], &v)
	strictly(t, m.Items[2], &j)
	return s, v, j
}

func TestManifest(t *testing.T) {
	s, v, j := written(t, "manifest -n 3 --name heat --namespace lab --image r/heat:1 --cpu 2 --memory 4Gi /heat -x 7")
	labels := map[string]string{"app.kubernetes.io/managed-by": "weft", "weft-job": "heat"}
	about := meta{"heat", "lab", labels}
	for what, got := range map[string]meta{"Secret": s.Metadata, "Service": v.Metadata, "Job": j.Metadata} {
		if diff := cmp.Diff(about, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	if raw, err := base64.StdEncoding.DecodeString(string(s.Data["key"])); err != nil || len(raw) != 32 || len(s.Data) != 1 || s.Kind != "Secret" || s.Type != "Opaque" {
		t.Errorf("%+v, %v", s, err)
	}
	if again, _, _ := written(t, "manifest -n 3 --image i p"); string(again.Data["key"]) == string(s.Data["key"]) {
		t.Error("two jobs have one key")
	}
	if v.Kind != "Service" || v.Spec.ClusterIP != "None" || !v.Spec.PublishNotReadyAddresses || v.Spec.Selector["weft-job"] != "heat" {
		t.Errorf("%+v", v)
	}
	if x := j.Spec; j.APIVersion != "batch/v1" || j.Kind != "Job" || x.CompletionMode != "Indexed" || *x.Completions != 3 || *x.Parallelism != 3 || *x.BackoffLimit != 0 {
		t.Errorf("%+v", j)
	}
	pod := j.Spec.Template.Spec
	c := pod.Containers[0]
	got := fmt.Sprintln(j.Spec.Template.Metadata.Labels, pod.Subdomain, pod.RestartPolicy, c.Image, c.Command, c.Env, c.Resources, c.VolumeMounts, pod.Volumes, pod.SecurityContext)
	want := fmt.Sprintln(labels, "heat", "Never", "r/heat:1", "[/heat -x 7]", "[{WEFT_SIZE 3} {WEFT_LEADER heat-0.heat} {WEFT_KEY_FILE /etc/weft/key}]",
		"{map[cpu:2 memory:4Gi] map[cpu:2 memory:4Gi]}", "[{key /etc/weft true}]", "[{key {heat 288}}]", "{65533}")
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestK8sRefuses(t *testing.T) {
	for line, words := range map[string]string{
		"": "weft k8s manifest", "apply": "weft k8s manifest", "manifest --image i p": "-n", "manifest -n 0 --image i p": "-n", "manifest -n 2 p": "--image",
		"manifest -n 2 --image i": "which program", "manifest -n 2 --image i --name Heat p": "--name", "manifest -n 2 --image i --cpu much p": "--cpu",
		"manifest -n 2 --image i --memory 4GB p": "--memory", "manifest -n 2 --image i --namespace a.b p": "--namespace",
		"manifest -n 2 --image i --name " + strings.Repeat("x", 51) + " p": "--name",
	} {
		if _, err := parseK8s(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// Hosts in a box stand for pods: each has the variables and files that Kubernetes makes of the manifest.
// The name of the first is known only after the others have started, and the first is the last to start.
func TestPods(t *testing.T) {
	f := newFleet(t, 3)
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(f.bin, "faulty"))
	}
	if err != nil {
		t.Fatal(err)
	}
	s, _, j := written(t, "manifest -n 3 --name heat --image i "+filepath.Join(f.bin, "faulty")+" sum")
	c := j.Spec.Template.Spec.Containers[0]
	do := func(host, script string) {
		t.Helper()
		cmd := f.Command(host, "sh", "-c", script)
		cmd.Stdin = strings.NewReader(string(s.Data["key"]))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	out := new(launchtest.Output)
	var all sync.WaitGroup
	for _, index := range []string{"2", "1", "0"} {
		host := "h" + index
		do(host, "umask 0227 && mkdir /run/key && chmod 755 /run/key && cat >/run/key/key")
		if index == "0" {
			time.Sleep(200 * time.Millisecond) // the others look for it in vain
			for _, h := range f.Hosts() {
				do(h, "echo "+f.Addr("h0", 0).String()+" heat-0.heat >>/etc/hosts")
			}
		}
		cmd := exec.Command(c.Command[0], c.Command[1:]...)
		cmd.Env = append(os.Environ(), "JOB_COMPLETION_INDEX="+index)
		for _, v := range c.Env {
			cmd.Env = append(cmd.Env, v.Name+"="+strings.Replace(v.Value, keyDir, "/run/key", 1))
		}
		cmd.Stdout, cmd.Stderr = out, out
		if err := f.Start(host, cmd); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("pod %s: %v", index, err)
			}
		})
	}
	all.Wait()
	if strings.Count(out.String(), "of 3: the sum is 3\n") != 3 {
		t.Errorf("%s", out)
	}
}
