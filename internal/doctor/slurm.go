package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/munge"
)

// Slurm is what a host has of Slurm.
type Slurm struct {
	Version   string   `json:"version,omitempty"`   // of srun; empty: there is none
	Plugins   []string `json:"plugins,omitempty"`   // by which srun can let tasks meet: none, pmi2, pmix
	Propagate string   `json:"propagate,omitempty"` // limits of the submitting shell that tasks get, as in slurm.conf
	Except    string   `json:"except,omitempty"`    // limits that they do not get
	Trouble   string   `json:"trouble,omitempty"`   // with asking its controller
	Munge     string   `json:"munge,omitempty"`     // trouble with the munge daemon
}

// slurmPatience is how long one command of Slurm's may take: without a controller they try for long.
const slurmPatience = 5 * time.Second

// gatherSlurm asks Slurm's own commands, if they are there.
func gatherSlurm() (s Slurm) {
	if _, err := exec.LookPath("srun"); err != nil {
		return s
	}
	text, err := output("srun", "--version")
	s.Version = strings.TrimSpace(strings.TrimPrefix(text, "slurm "))
	if err != nil || s.Version == "" {
		s.Version, s.Trouble = "unknown", fmt.Sprintf("srun --version: %v", err)
		return s
	}
	if text, err = output("srun", "--mpi=list"); err == nil {
		s.Plugins = plugins(text)
	}
	if text, err = output("scontrol", "show", "config"); err != nil {
		s.Trouble = fmt.Sprintf("scontrol show config: %v", err)
	}
	s.Propagate, s.Except = setting(text, "PropagateResourceLimits"), setting(text, "PropagateResourceLimitsExcept")
	s.Munge = mungeTrouble(munge.Daemon(munge.Socket))
	return s
}

// output runs a command and returns what it prints; an error has what it says.
func output(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), slurmPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", fmt.Errorf("no answer for %v", slurmPatience)
	}
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		return "", fmt.Errorf("%w: %.200s", err, first)
	}
	return string(text), nil
}

// plugins reads the list of srun --mpi=list, whose lines hold one or more names behind a headline, with or without
// the program's name in front: "srun: pmi2", "pmix".
func plugins(text string) (all []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "srun:"))
		if line == "" || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "...") {
			continue
		}
		if _, rest, versions := strings.Cut(line, ": "); versions { // specific pmix plugin versions available: pmix_v4
			line = rest
		}
		for _, word := range strings.Fields(strings.ReplaceAll(line, ",", " ")) {
			if !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// setting reads a line NAME = VALUE of scontrol show config.
func setting(text, name string) string {
	for line := range strings.Lines(text) {
		key, value, found := strings.Cut(line, "=")
		if value = strings.TrimSpace(value); found && strings.TrimSpace(key) == name && value != "(null)" {
			return value
		}
	}
	return ""
}

// mungeTrouble says what keeps the munge daemon from vouching for us.
func mungeTrouble(d munge.Daemon) string {
	credential, err := d.Encode([]byte("weft doctor"), uint32(os.Geteuid()))
	if err == nil {
		_, _, err = d.Decode(credential)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no munge daemon"
	case err != nil:
		return err.Error()
	}
	return ""
}

// judgeSlurm says whether srun can start ranks here, and with which limits.
func judgeSlurm(s *sheet, f *Facts) {
	j := &f.Slurm
	if j.Version == "" {
		return
	}
	if j.Trouble != "" {
		s.warn("slurm", "see whether its controller runs: scontrol ping", "Slurm %s does not answer: %s", j.Version, j.Trouble)
	} else {
		s.ok("slurm", "Slurm %s; srun --mpi can be %s", j.Version, strings.Join(j.Plugins, ", "))
	}
	pmi2 := slices.Contains(j.Plugins, "pmi2")
	switch {
	case j.Munge == "":
		s.ok("munge", "vouches for users: ranks that srun starts find each other")
	case pmi2:
		s.warn("munge", "start munged, or use srun --mpi=pmi2, weft run, or a file named by WEFT_KEY_FILE",
			"ranks that srun starts without PMI cannot trust each other: %s", j.Munge)
	default:
		s.warn("munge", "start munged, or use weft run, or a file named by WEFT_KEY_FILE",
			"ranks that srun starts cannot trust each other, and there is no plugin pmi2: %s", j.Munge)
	}
	judgePropagation(s, f)
}

// judgePropagation says which limits tasks get: those of the shell that submits, unless Slurm is told
// otherwise. RDMA adapters need memory that is locked.
func judgePropagation(s *sheet, f *Facts) {
	j := &f.Slurm
	if j.Propagate == "" && j.Except == "" {
		return
	}
	switch {
	case len(f.RDMA.Adapters) == 0 || f.Locked.Now >= hardwareNeeds || !propagates(j, "MEMLOCK"):
		s.ok("limits", "tasks get these limits of the shell that submits: %s", propagated(j))
	default:
		s.warn("limits", "in slurm.conf: PropagateResourceLimitsExcept=MEMLOCK, with LimitMEMLOCK=infinity for slurmd; or ulimit -l unlimited before srun",
			"tasks may lock only %s for RDMA adapters, as the shell that submits", bytesText(f.Locked.Now))
	}
}

// propagates tells whether tasks get a limit of the shell that submits.
func propagates(j *Slurm, limit string) bool {
	has := func(list string) bool {
		return slices.Contains(strings.Split(list, ","), limit) || list == "ALL"
	}
	if j.Except != "" {
		return !has(j.Except)
	}
	return has(j.Propagate)
}

func propagated(j *Slurm) string {
	if j.Except != "" {
		return "all but " + j.Except
	}
	return j.Propagate
}
