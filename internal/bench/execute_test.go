package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// whoseLauncher names the file to which the launcher of a process that is going to be killed writes its number.
const whoseLauncher = "WEFT_TEST_WHOSE_LAUNCHER"

func TestMain(m *testing.M) {
	if path := os.Getenv(whoseLauncher); path != "" {
		_, _ = Execute(context.Background(), "sh", []string{"-c", "echo $$ > " + path + ".new; mv " + path + ".new " + path + "; exec sleep 600"}, nil, nil)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestExecuteDiesWithItsCaller: no launcher is left behind by a process that had no time to end it.
func TestExecuteDiesWithItsCaller(t *testing.T) {
	path := filepath.Join(t.TempDir(), "number")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), whoseLauncher+"="+path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var number []byte
	within(t, "the launcher starts", func() (err error) { number, err = os.ReadFile(path); return err })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	within(t, "the launcher ends", func() error {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(number)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") { // perhaps nobody collects it
			return nil
		}
		return errors.New("it runs")
	})
}

// within asks until there is no error, for as long as a slow machine may take.
func within(t *testing.T, what string, ask func() error) {
	t.Helper()
	err := ask()
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = ask() {
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("%s: not yet: %v", what, err)
	}
}

// TestExecuteTellsLinesAsTheyArrive: while the launcher still runs; and who refuses one ends the run.
func TestExecuteTellsLinesAsTheyArrive(t *testing.T) {
	row := FormatRow(Row{Size: 8, Value: 0.25, Iterations: 100})
	var rows int
	out, err := Execute(t.Context(), "sh", []string{"-c", "echo '" + row + "'; echo '" + FormatEnd() + "'"}, nil, func(l Line) error {
		if l.Row != nil {
			rows++
		}
		return nil
	})
	if err != nil || rows != 1 || len(out.Rows) != 1 {
		t.Errorf("%d rows told, %+v, %v", rows, out, err)
	}
	full := errors.New("the disk is full")
	_, err = Execute(t.Context(), "sh", []string{"-c", "echo '" + row + "'; exec sleep 600"}, nil, func(Line) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("ended with %v", err)
	}
}
