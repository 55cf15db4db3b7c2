package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// progress draws a bar on a terminal and nothing elsewhere. A nil progress is silent.
type progress struct {
	to          *os.File
	done, total int
	began       time.Time
}

const progressWidth = 30

// newProgress returns a bar of total steps, or nil when to is no terminal.
func newProgress(to *os.File, total int) *progress {
	if !term.IsTerminal(int(to.Fd())) {
		return nil
	}
	return &progress{to: to, total: max(total, 1), began: time.Now()}
}

// step moves the bar by one and names what has just been done, and how long the rest takes at this pace.
func (p *progress) step(what string) {
	if p == nil {
		return
	}
	p.done = min(p.done+1, p.total)
	fmt.Fprint(p.to, "\r\x1b[K", progressText(p.done, p.total, what), leftText(p.done, p.total, time.Since(p.began)))
}

// skipTo moves the bar forward to a step, after work that was given up.
func (p *progress) skipTo(done int) {
	if p != nil {
		p.done = min(max(p.done, done), p.total)
	}
}

// clear wipes the bar off the line, so that other output can use it.
func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}

func progressText(done, total int, what string) string {
	filled := progressWidth * done / total
	return fmt.Sprintf("[%s%s] %3d%% %s", strings.Repeat("=", filled), strings.Repeat(" ", progressWidth-filled),
		100*done/total, what)
}

// leftText says how long the rest takes if it goes on as it did; nothing while that is a matter of seconds.
func leftText(done, total int, spent time.Duration) string {
	left := spent * time.Duration(total-done) / time.Duration(max(done, 1))
	if left < 10*time.Second {
		return ""
	}
	return fmt.Sprintf(", %v left", left.Round(time.Second))
}
