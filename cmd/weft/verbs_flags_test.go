package main

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/perf"
)

func TestParseVerbs(t *testing.T) {
	o, err := parseVerbs(strings.Fields("ib_send_bw node1 -c ud -s 1K,64 -n 100 -t 32 --rx-depth 64 -I 128 -q 4 -b -p 99 -d soft --bind 127.0.0.1 --no-offload --json"))
	if err != nil {
		t.Fatal(err)
	}
	if o.test.Name != "send_bw" || o.host != "node1" || o.kind != perf.UD || !slices.Equal(o.sizes, []int{1024, 64}) || o.iterations != 100 ||
		o.qps != 4 || !o.both || o.port != 99 || o.bind.String() != "127.0.0.1" || !o.json {
		t.Errorf("got %+v", o)
	}
	if w := o.way(); w != (perf.Way{Kind: perf.UD, QPs: 1, TxDepth: 32, RxDepth: 64, Inline: 128, NoOffload: true}) {
		t.Errorf("way %+v", w)
	}
	for line, want := range map[string]time.Duration{"read_lat -D 2": 2 * time.Second, "read_lat --duration 0.5s": time.Second / 2} {
		if o, err := parseVerbs(strings.Fields(line)); err != nil || o.duration != want {
			t.Errorf("%s: %v, %+v", line, err, o)
		}
	}
}

func TestVerbsDefaults(t *testing.T) {
	for line, want := range map[string]perf.Way{
		"send_lat":  {Kind: perf.RC, QPs: 1, TxDepth: perf.DefaultTxDepth, RxDepth: perf.DefaultRxDepth},
		"multi_bw":  {Kind: perf.RC, QPs: 1, TxDepth: perf.ManyTxDepth, RxDepth: perf.ManyRxDepth},
		"mem -t 99": {Kind: perf.RC, QPs: 1, TxDepth: 99, RxDepth: perf.ManyRxDepth},
	} {
		if o, err := parseVerbs(strings.Fields(line)); err != nil || o.way() != want || o.port != verbsPort {
			t.Errorf("%s: %v, %+v", line, err, o)
		}
	}
	for line, want := range map[string]string{"send_lat --raw": perf.TCP, "send_lat -c UD --compare raw": perf.UDP,
		"send_bw -c rd --raw": perf.UDP, "send_bw -c RD --compare rc": perf.RC} {
		if o, err := parseVerbs(strings.Fields(line)); err != nil || o.otherKind() != want {
			t.Errorf("%s: %v, %+v", line, err, o)
		}
	}
}

func TestParseVerbsRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"nothing":                            "no test",
		"send_la":                            "did you mean send_lat",
		"send_lat a b":                       "at most one host",
		"send_lat -c XC":                     "RC, UD or RD",
		"send_lat -s lots":                   "not a number of bytes",
		"send_lat -s 8 -a":                   "not both",
		"send_lat -q 2":                      "-q belongs",
		"send_lat -b":                        "-b belongs",
		"multi_bw -b":                        "always goes both ways",
		"send_lat -n 5 -D 5":                 "not both",
		"send_lat -D never":                  "seconds",
		"ping -D 3":                          "-D belongs",
		"ping -a":                            "one size",
		"ping -s 1,2":                        "one size",
		"mem -s 8":                           "no sense here",
		"send_lat -t 0":                      "from 1",
		"send_lat -r 1":                      "from 8",
		"send_lat -d=":                       "name of a device",
		"send_lat --bind here":               "IP address",
		"send_lat --compare tcp":             "want raw",
		"send_lat --compare rc":              "not the type measured",
		"multi_lat --raw":                    "one queue pair",
		"send_bw -q 2 --raw":                 "one queue pair",
		"write_bw -b --raw":                  "send_bw",
		"send_lat -c UD --no-crc":            "only RC",
		"send_lat -c UD --markers":           "only RC has markers",
		"write_bw -c UD":                     "take send_bw",
		"write_bw --compare ud":              "take send_bw",
		"ping --plot x.svg":                  "nothing to draw",
		"send_lat --plot x.gif":              ".svg",
		"send_lat --save x":                  "belongs to suite",
		"suite -s 8":                         "fixed",
		"suite -c UD":                        "fixed",
		"--server ping node1":                "no HOST",
		"--server --json":                    "the client shows",
		"send_lat --datagram 9":              "from 256",
		"send_lat -I 99999":                  "from 0",
		"send_lat -p 70000":                  "from 0",
		"send_lat --what":                    "not defined",
		"send_lat --plot /no/such/dir/x.svg": "no directory",
	} {
		if _, err := parseVerbs(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", line, err, want)
		}
	}
}

func TestVerbsHelpNamesEverything(t *testing.T) {
	if _, err := parseVerbs(nil); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("no arguments: %v, want help", err)
	}
	help, err := theTool().Help("verbs")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range perf.Tests() {
		if !strings.Contains(help, "\n  "+test.Name+" ") {
			t.Errorf("help does not name %s", test.Name)
		}
	}
	for _, option := range []string{"-c, --connection rc|ud|rd", "-s, --size SIZE,...", "--server ", "--compare raw|rc|ud|rd", "-I, --inline_size N"} {
		if !strings.Contains(help, option) {
			t.Errorf("help does not explain %s in\n%s", option, help)
		}
	}
	if strings.Contains(help, "--child") || strings.Contains(help, "--gentle") {
		t.Error("help shows a hidden option")
	}
}

func FuzzParseVerbs(f *testing.F) {
	f.Add("send_lat node1 -c UD -s 1K,2 --raw")
	f.Add("--server --port 0 --bind ::1")
	f.Add("suite --save . --rounds 3")
	f.Fuzz(func(t *testing.T, line string) {
		o, err := parseVerbs(strings.Fields(line))
		if err != nil {
			return
		}
		if !o.server && !o.suite && o.test.Name == "" {
			t.Errorf("%q is neither a test nor a server: %+v", line, o)
		}
		if w := o.way(); w.TxDepth < 1 || w.RxDepth < 8 {
			t.Errorf("%q gives the way %+v", line, w)
		}
	})
}
