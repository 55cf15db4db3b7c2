package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/launch/hosts"
)

var (
	errHelp    = errors.New("help wanted")
	errVersion = errors.New("version wanted")
)

// runOptions is a command line of "weft run", understood but not yet applied to this host.
type runOptions struct {
	job  launch.Job // everything but Specs, streams, segment and hosts
	apps []app

	globalEnv []string          // NAME=value or NAME, for all programs
	keepEnv   func(string) bool // which inherited variables stay; nil means all

	reach reachOptions

	oversubscribe   bool
	noOversubscribe bool
	displayMap      bool
	dryRun          bool
	warnings        []string
	mca             []string // keys of --mca, which mean nothing here

	as        string // the library that the programs were compiled for; empty: Weft's
	libraries string // the directory of the libraries that they get instead
}

// app is one program between colons.
type app struct {
	ranks   int // 0 means not said
	argv    []string
	dir     string
	env     []string
	keepEnv func(string) bool // overrides the global one
}

// current is the program whose options are being read.
func (o *runOptions) current() *app { return &o.apps[len(o.apps)-1] }

// parseRun reads the words after "weft run". It stops at the program's name, so the program's own flags are its own;
// a lone colon begins the next program. Long options work with one dash and with two, values after a space or '='.
func parseRun(args []string) (*runOptions, error) {
	o := &runOptions{apps: []app{{}}}
	for len(args) > 0 {
		word := args[0]
		if word == "--" {
			args = args[1:]
		} else if strings.HasPrefix(word, "-") && len(word) > 1 {
			rest, err := o.parseOption(word, args[1:])
			if err != nil {
				return nil, err
			}
			args = rest
			continue
		}
		end := 0
		for end < len(args) && args[end] != ":" {
			end++
		}
		o.current().argv = args[:end:end]
		if end == len(args) {
			break
		}
		if args = args[end+1:]; len(args) == 0 {
			return nil, errors.New("no program after the last colon")
		}
		o.apps = append(o.apps, app{})
	}
	for i := range o.apps {
		if a := o.apps[i]; len(a.argv) == 0 || a.argv[0] == "" {
			return nil, fmt.Errorf("no program to run%s; try: weft run -n 4 ./prog, or weft run -h", ofApps(i, len(o.apps)))
		}
	}
	o.warnAboutMCA()
	return o, nil
}

func ofApps(i, n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" in part %d of %d between colons", i+1, n)
}

// parseOption applies the option in word, taking its values from rest, and returns what is left of rest.
func (o *runOptions) parseOption(word string, rest []string) ([]string, error) {
	name, inline, hasInline := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
	opt := findOption(name)
	if opt == nil {
		return nil, fmt.Errorf("unknown option %s%s; weft run -h lists the options", word, didYouMean("-"+name, optionNames()))
	}
	var values []string
	if hasInline {
		if opt.values == 0 && !opt.optional() {
			return nil, fmt.Errorf("option -%s takes no value", name)
		}
		values = append(values, inline)
	}
	for len(values) < opt.values && !opt.complete(values) {
		if len(rest) == 0 {
			return nil, fmt.Errorf("option %s needs %s", word, opt.meta)
		}
		values = append(values, rest[0])
		rest = rest[1:]
	}
	if err := opt.apply(o, values); err != nil {
		if errors.Is(err, errHelp) || errors.Is(err, errVersion) {
			return nil, err
		}
		return nil, fmt.Errorf("option %s: %w", word, err)
	}
	return rest, nil
}

func (o *runOptions) warnAboutMCA() {
	if len(o.mca) > 0 {
		o.warnings = append(o.warnings, fmt.Sprintf("--mca settings mean nothing to Weft and are ignored (%s); "+
			"weft info --tunables lists its own", strings.Join(o.mca, ", ")))
	}
}

// option is a row of the table: its names, how many words it takes, and what it does.
type option struct {
	names  string // separated by spaces, without dashes; the first is the one help shows first
	values int
	meta   string // names of the values, for help and errors
	help   string // "" hides the row from help
	apply  func(o *runOptions, v []string) error
}

// variableAndValue are the two words after -env and -genv, which may be joined by =.
const variableAndValue = "VAR VALUE"

// behindEquals is the meta of options that may have a value, which only = can give them.
const behindEquals = "=VALUE"

// optional tells whether the option may have a value, behind =.
func (opt *option) optional() bool { return opt.meta == behindEquals }

// complete tells whether fewer values than usual are enough.
func (opt *option) complete(values []string) bool {
	return opt.meta == variableAndValue && len(values) == 1 && strings.Contains(values[0], "=")
}

func findOption(name string) *option {
	for i := range runTable {
		for n := range strings.FieldsSeq(runTable[i].names) {
			if n == name {
				return &runTable[i]
			}
		}
	}
	return nil
}

func optionNames() []string {
	var names []string
	for _, opt := range runTable {
		for n := range strings.FieldsSeq(opt.names) {
			names = append(names, dashes(n)+n)
		}
	}
	return names
}

// dashes is how help writes a name: both forms are understood.
func dashes(name string) string {
	if len(name) <= 2 {
		return "-"
	}
	return "--"
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > launch.JobMax {
		return 0, fmt.Errorf("%q is no number of ranks from 1 to %d", text, launch.JobMax)
	}
	return n, nil
}

// assignment joins a name and a value after checking the name.
func assignment(name, value string) (string, error) {
	if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
		return "", fmt.Errorf("%q is no name of an environment variable", name)
	}
	return name + "=" + value, nil
}

// variable reads the values of -env: a name and a value, or both in one word.
func variable(v []string) (string, error) {
	if len(v) == 1 {
		return exported(v[0])
	}
	return assignment(v[0], v[1])
}

// agentPath refuses what a shell would take for more than a path.
func agentPath(path string) error {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-") != "" || path == "" || path[0] == '-' {
		return fmt.Errorf("%q is no path that every shell understands", path)
	}
	return nil
}

// exported reads the value of -x: NAME or NAME=value.
func exported(word string) (string, error) {
	name, value, hasValue := strings.Cut(word, "=")
	edit, err := assignment(name, value)
	if err != nil || hasValue {
		return edit, err
	}
	return name, nil
}

// keepOnly returns a filter for a comma-separated list of names.
func keepOnly(list string) func(string) bool {
	names := strings.Split(list, ",")
	return func(name string) bool {
		for _, n := range names {
			if n == name {
				return true
			}
		}
		return false
	}
}

func keepNone(string) bool { return false }
func keepAll(string) bool  { return true }

// tunableVariable is the environment variable of --set name=value.
func tunableVariable(word string) (string, error) {
	name, value, hasValue := strings.Cut(word, "=")
	if !hasValue || name == "" {
		return "", fmt.Errorf("write it as name=value")
	}
	name = strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
	if !strings.HasPrefix(name, "WEFT_") {
		name = "WEFT_" + name
	}
	return assignment(name, value)
}

// profile has the job write where its time goes: on standard error, or into a file.
func (o *runOptions) profile(v []string) error {
	path := "-"
	if len(v) > 0 {
		if v[0] == "" {
			return errors.New("empty file name")
		}
		full, err := filepath.Abs(v[0])
		if err != nil {
			return err
		}
		path = full
	}
	o.globalEnv = append(o.globalEnv, "WEFT_PROFILE="+path)
	return nil
}

// trace has the job write all calls into a file.
func (o *runOptions) trace(file string) error {
	if file == "" {
		return errors.New("empty file name")
	}
	full, err := filepath.Abs(file)
	o.globalEnv = append(o.globalEnv, "WEFT_TRACE="+full)
	return err
}

// mapBy reads the mapping policies: node goes from host to host, ppr:N:node sets the number per host, and all others
// fill one host before the next.
func (o *runOptions) mapBy(text string) error {
	policy, modifiers, _ := strings.Cut(strings.ToLower(text), ":")
	if policy == "ppr" {
		count, rest, _ := strings.Cut(modifiers, ":")
		n, err := parseCount(count)
		if err != nil {
			return err
		}
		unit, more, _ := strings.Cut(rest, ":")
		if unit != "node" {
			return fmt.Errorf("ppr counts per node only: ppr:%d:node", n)
		}
		o.reach.perNode, modifiers = n, more
	} else if policy == "node" {
		o.reach.policy = hosts.ByNode
	} else if !keepOnly(",slot,hwthread,core,l1cache,l2cache,l3cache,numa,socket,package")(policy) {
		return fmt.Errorf("unknown policy %q; slot, core, hwthread, numa, package, node and ppr:N:node are known", policy)
	}
	for m := range strings.SplitSeq(modifiers, ":") {
		switch m {
		case "oversubscribe":
			o.oversubscribe = true
		case "nooversubscribe":
			o.noOversubscribe = true
		}
	}
	return nil
}

func (o *runOptions) bindTo(text string) error {
	policy, _, _ := strings.Cut(strings.ToLower(text), ":")
	kinds := map[string]launch.Bind{"auto": launch.BindAuto, "none": launch.BindNone, "core": launch.BindCore, "hwthread": launch.BindHWThread}
	kind, known := kinds[policy]
	if !known {
		return fmt.Errorf("unknown policy %q; auto, none, core and hwthread are known", text)
	}
	o.job.Bind = kind
	return nil
}

func (o *runOptions) stdin(text string) error {
	switch text {
	case "all":
		o.job.StdinTo = launch.StdinAll
	case "none":
		o.job.StdinTo = launch.StdinNone
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is neither all, none nor a rank", text)
		}
		o.job.StdinTo = n
	}
	return nil
}
