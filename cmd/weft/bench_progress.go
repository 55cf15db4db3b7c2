package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// progress shows how far work is. A nil progress is silent.
type progress struct {
	to          io.Writer
	bar         bool // on a terminal; else a line now and then
	done, total int
	first       int // done before it began
	began, told time.Time
}

const progressWidth = 30

// Where there is no terminal, the first line comes after some seconds, the others at a distance.
const (
	firstLine = 5 * time.Second
	nextLine  = 15 * time.Second
)

// newProgress returns a bar of total steps, or nil when to is no terminal.
func newProgress(to *os.File, total int) *progress {
	if !term.IsTerminal(int(to.Fd())) {
		return nil
	}
	return &progress{to: to, bar: true, total: max(total, 1), began: time.Now()}
}

// newLongProgress is newProgress for work of minutes: where there is no terminal, it writes a line now and then.
func newLongProgress(to *os.File, total int) *progress {
	if p := newProgress(to, total); p != nil {
		return p
	}
	now := time.Now()
	return &progress{to: to, total: max(total, 1), began: now, told: now.Add(firstLine - nextLine)}
}

// step moves the bar by one and names what has just been done, and how long the rest takes at this pace.
func (p *progress) step(what string) {
	if p == nil {
		return
	}
	p.done = min(p.done+1, p.total)
	now := time.Now()
	p.show(now, what+leftText(p.done-p.first, p.total-p.first, now.Sub(p.began)))
}

// say shows what is going on without moving the bar.
func (p *progress) say(what string) {
	if p != nil {
		p.show(time.Now(), what)
	}
}

// show draws the bar, or writes a line if the last was long enough ago.
func (p *progress) show(now time.Time, what string) {
	switch {
	case p.bar:
		fmt.Fprint(p.to, "\r\x1b[K", progressText(p.done, p.total, what))
	case now.Sub(p.told) >= nextLine:
		p.told = now
		fmt.Fprintf(p.to, "weft: %d%% done: %s\n", 100*p.done/p.total, what)
	}
}

// skipTo moves the bar forward to a step, after work that was given up.
func (p *progress) skipTo(done int) {
	if p != nil {
		p.done = min(max(p.done, done), p.total)
	}
}

// beginAt says how many steps others had done before.
func (p *progress) beginAt(done int) {
	if p != nil {
		p.first, p.done = done, done
	}
}

// clear wipes the bar off the line, so that other output can use it.
func (p *progress) clear() {
	if p != nil && p.bar {
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
