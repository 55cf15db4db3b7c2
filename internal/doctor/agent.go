package doctor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"
)

// The agent greets with one line, then answers each line of JSON with one line of JSON.

const (
	greeting  = "weft-doctor-agent"
	protocol  = 1
	lineLimit = 4 << 20  // bytes of one message
	noiseMost = 64 << 10 // bytes a remote shell may print before the greeting
)

// AgentLife is how long an examination may take; an agent that was forgotten ends then.
const AgentLife = 5 * time.Minute

// request asks an agent for one thing: the first of its fields that is set.
type request struct {
	Facts  bool         `json:"facts,omitempty"`
	Time   bool         `json:"time,omitempty"`
	Listen *listenOrder `json:"listen,omitempty"`
	Reach  *reachOrder  `json:"reach,omitempty"`
}

type listenOrder struct {
	Secret    Secret       `json:"secret"`
	Addresses []netip.Addr `json:"addresses"`
	Ports     Ports        `json:"ports"`
}

type reachOrder struct {
	Targets  []Target      `json:"targets"`
	Patience time.Duration `json:"patience"`
}

// response is the agent's answer to a request.
type response struct {
	Error   string    `json:"error,omitempty"`
	Facts   *Facts    `json:"facts,omitempty"`
	Time    int64     `json:"time,omitempty"` // nanoseconds since 1970
	Ears    []Ear     `json:"ears,omitempty"`
	Reached []Reached `json:"reached,omitempty"`
}

// Serve is the agent: it answers requests from in on out until in ends. version is that of the program.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	if _, err := fmt.Fprintf(out, "%s %d %s\n", greeting, protocol, version); err != nil {
		return err
	}
	a := agent{version: version}
	defer a.stopListening()
	answers := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, lineLimit)
	for lines.Scan() {
		var r request
		var answer response
		err := json.Unmarshal(lines.Bytes(), &r)
		if err == nil {
			answer, err = a.do(ctx, r)
		}
		if err != nil {
			answer = response{Error: err.Error()}
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

// agent is what an agent remembers between requests.
type agent struct {
	version string
	ears    *ears
}

func (a *agent) stopListening() {
	if a.ears != nil {
		a.ears.close()
	}
	a.ears = nil
}

func (a *agent) do(ctx context.Context, r request) (response, error) {
	switch {
	case r.Facts:
		facts := Gather(a.version)
		return response{Facts: &facts}, nil
	case r.Time:
		return response{Time: time.Now().UnixNano()}, nil
	case r.Listen != nil:
		o := r.Listen
		if o.Ports.Last < o.Ports.First {
			return response{}, fmt.Errorf("the ports %d to %d are no range", o.Ports.First, o.Ports.Last)
		}
		a.stopListening()
		var open []Ear
		a.ears, open = listen(o.Secret, o.Addresses, o.Ports)
		return response{Ears: open}, nil
	case r.Reach != nil:
		if r.Reach.Patience <= 0 || r.Reach.Patience > time.Minute {
			return response{}, fmt.Errorf("patience of %v makes no sense", r.Reach.Patience)
		}
		return response{Reached: reacher{r.Reach.Patience}.all(ctx, r.Reach.Targets)}, nil
	}
	return response{}, errors.New("the request asks for nothing this agent knows")
}

// hello is what precedes the answers of an agent.
type hello struct {
	version string
	noise   string // what the remote shell printed before it
}

var errSilent = errors.New("no agent answers")

// readHello skips what a remote shell prints and returns the agent's greeting. It reads no further than that.
func readHello(in *bufio.Reader) (hello, error) {
	var noise strings.Builder
	for noise.Len() < noiseMost {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			noise.Write(line)
			continue
		}
		if err != nil {
			noise.Write(line)
			return hello{noise: noise.String()}, errSilent
		}
		// The shell may have left an unfinished line before the greeting.
		_, words, found := strings.Cut(string(line), greeting+" ")
		if !found {
			noise.Write(line)
			continue
		}
		var number int
		spoken, version, _ := strings.Cut(strings.TrimSuffix(words, "\n"), " ")
		if _, err := fmt.Sscanf(spoken, "%d", &number); err != nil || number != protocol {
			return hello{version: version}, fmt.Errorf("the agent speaks version %q of its language, not %d", spoken, protocol)
		}
		return hello{version: version, noise: noise.String()}, nil
	}
	return hello{noise: noise.String()}, errSilent
}
