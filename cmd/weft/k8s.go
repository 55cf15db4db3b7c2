package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/weft-mpi/weft/internal/sched"
	"github.com/weft-mpi/weft/internal/usage"
)

const k8sAbout = `
Writes what Kubernetes needs to run a job, as JSON: a Secret with a new key, a Service without an address, by which pods find each
other's names, and a Job with indexes, one pod for each rank.

  weft k8s manifest -n 8 --image registry/prog /prog ARG...

Give its output to kubectl (apply, with "-f -"). Everybody who can read that output has the job's key. The image holds the program; it needs neither weft nor an ssh server.
`

// aboutK8s describes "weft k8s".
func aboutK8s() usage.Command {
	return usage.Command{Forms: []string{"manifest [options] PROGRAM [ARG...]"}, About: k8sAbout, Words: "manifest", Groups: flagGroup(new(podOptions).flags())}
}

// podOptions is a command line of "weft k8s manifest".
type podOptions struct {
	ranks               int
	name, image         string
	cpus, memory, space string
	argv                []string
}

func (o *podOptions) flags() *flag.FlagSet {
	f := newFlags("k8s")
	f.IntVar(&o.ranks, "n", 0, "`N` ranks, each in a pod")
	f.StringVar(&o.name, "name", "weft", "the `JOB`'s name")
	f.StringVar(&o.image, "image", "", "the `IMAGE` that holds the program")
	f.StringVar(&o.space, "namespace", "", "the namespace, by `SPACE`; else that of kubectl")
	f.StringVar(&o.cpus, "cpu", "", "`QUANTITY` of processors for each rank, such as 2 or 500m")
	f.StringVar(&o.memory, "memory", "", "`QUANTITY` of memory for each rank, such as 4Gi")
	return f
}

var (
	podName  = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$`) // room for an index behind it in a name of 63
	quantity = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$`)
)

// podsMax is how many ranks a Job may have whose pods all run at once.
const podsMax = 100_000

func parseK8s(args []string) (*podOptions, error) {
	o := new(podOptions)
	if len(args) > 0 && args[0] == "manifest" {
		args = args[1:]
	} else if len(args) == 0 || args[0] != "-h" && args[0] != "--help" && args[0] != "-help" {
		return o, errors.New("it can only write a manifest: weft k8s manifest -n 8 --image IMAGE PROGRAM")
	}
	f := o.flags()
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.argv = f.Args()
	for _, c := range []struct {
		bad bool
		say string
	}{
		{o.ranks < 1 || o.ranks > podsMax, fmt.Sprintf("-n: how many ranks, from 1 to %d?", podsMax)},
		{o.image == "", "--image: which image holds the program?"},
		{len(o.argv) == 0, "which program of the image?"},
		{!podName.MatchString(o.name), fmt.Sprintf("--name: %q is no name for a job: small letters, digits and -, up to 50", o.name)},
		{o.space != "" && !podName.MatchString(o.space), fmt.Sprintf("--namespace: %q is none", o.space)},
		{o.cpus != "" && !quantity.MatchString(o.cpus), fmt.Sprintf("--cpu: %q is no quantity such as 2 or 500m", o.cpus)},
		{o.memory != "" && !quantity.MatchString(o.memory), fmt.Sprintf("--memory: %q is no quantity such as 4Gi", o.memory)},
	} {
		if c.bad {
			return o, errors.New(c.say)
		}
	}
	return o, nil
}

// k8sCommand is "weft k8s".
func k8sCommand(args []string) int {
	o, err := parseK8s(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("k8s")
	case err != nil:
		return refuse("k8s", err)
	}
	if err := writeJSON(os.Stdout, o.manifest()); err != nil {
		return 1 // nobody reads it
	}
	return 0
}

// object is a part of a manifest.
type object = map[string]any

// keyDir is where pods find the key of their job.
const keyDir = "/etc/weft"

// keyReaders is the group that may read the key, whoever the image's user is.
const keyReaders = 65533

// manifest is all objects of a job.
func (o *podOptions) manifest() object {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails, by its documentation
	labels := object{"app.kubernetes.io/managed-by": "weft", "weft-job": o.name}
	meta := func() object {
		m := object{"name": o.name, "labels": labels}
		if o.space != "" {
			m["namespace"] = o.space
		}
		return m
	}
	secret := object{"apiVersion": "v1", "kind": "Secret", "metadata": meta(), "type": "Opaque",
		"data": object{"key": base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(key)))}}
	service := object{"apiVersion": "v1", "kind": "Service", "metadata": meta(),
		// Names are known before programs are ready: they wait for each other.
		"spec": object{"clusterIP": "None", "publishNotReadyAddresses": true, "selector": object{"weft-job": o.name}}}
	job := object{"apiVersion": "batch/v1", "kind": "Job", "metadata": meta(),
		"spec": object{"completionMode": "Indexed", "completions": o.ranks, "parallelism": o.ranks,
			"backoffLimit": 0, // a pod that comes again could not join
			"template":     object{"metadata": object{"labels": labels}, "spec": o.pod()}}}
	return object{"apiVersion": "v1", "kind": "List", "items": []object{secret, service, job}}
}

// pod is what every rank runs in.
func (o *podOptions) pod() object {
	container := object{"name": "rank", "image": o.image, "command": o.argv,
		"env": []object{
			{"name": sched.SizeVariable, "value": strconv.Itoa(o.ranks)},
			{"name": sched.LeaderVariable, "value": o.name + "-0." + o.name},
			{"name": sched.KeyFileVariable, "value": keyDir + "/key"},
		},
		"volumeMounts": []object{{"name": "key", "mountPath": keyDir, "readOnly": true}},
	}
	limits := object{}
	if o.cpus != "" {
		limits["cpu"] = o.cpus
	}
	if o.memory != "" {
		limits["memory"] = o.memory
	}
	if len(limits) > 0 {
		container["resources"] = object{"limits": limits, "requests": limits}
	}
	return object{"subdomain": o.name, "restartPolicy": "Never", "containers": []object{container},
		"securityContext": object{"fsGroup": keyReaders},
		"volumes":         []object{{"name": "key", "secret": object{"secretName": o.name, "defaultMode": 0o440}}}}
}
