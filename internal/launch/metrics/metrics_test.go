package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server at any port.
func serve(t *testing.T, token []byte, text func(context.Context) ([]byte, error)) *Server {
	t.Helper()
	s, err := Listen("127.0.0.1:0", token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Serve(text)
	return s
}

func numbers(context.Context) ([]byte, error) { return []byte("weft_x 1\n"), nil }

// get asks, and returns the code and the text.
func get(s *Server, change func(*http.Request)) (int, string, error) {
	q, err := http.NewRequest(http.MethodGet, s.URL(), nil)
	if err != nil {
		return 0, "", err
	}
	change(q)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	answer, err := client.Do(q)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

func TestAnswers(t *testing.T) {
	open, closed := serve(t, nil, numbers), serve(t, []byte("a secret of 16 b"), numbers)
	failing := serve(t, nil, func(context.Context) ([]byte, error) { return nil, errors.New("the job is over") })
	bearer := func(text string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set("Authorization", text) }
	}
	for name, c := range map[string]struct {
		s      *Server
		change func(*http.Request)
		code   int
	}{
		"plain":         {open, func(*http.Request) {}, 200},
		"other page":    {open, func(q *http.Request) { q.URL.Path = "/" }, 404},
		"other method":  {open, func(q *http.Request) { q.Method = http.MethodPost }, 405},
		"a web page":    {open, func(q *http.Request) { q.Host = "evil.example:80" }, 403},
		"localhost":     {open, func(q *http.Request) { q.Host = "localhost:1" }, 200},
		"no token":      {closed, func(*http.Request) {}, 401},
		"wrong token":   {closed, bearer("Bearer a secret of 16 c"), 401},
		"half a token":  {closed, bearer("Bearer a secret"), 401},
		"empty token":   {closed, bearer("Bearer "), 401},
		"bare token":    {closed, bearer("a secret of 16 b"), 401},
		"token":         {closed, bearer("Bearer a secret of 16 b"), 200},
		"the job ended": {failing, func(*http.Request) {}, 503},
	} {
		if code, text, err := get(c.s, c.change); err != nil || code != c.code || (code == 200) != (text == "weft_x 1\n") {
			t.Errorf("%s: %d, %q, %v, want %d", name, code, text, err, c.code)
		}
	}
}

// Addresses that others can reach need a token.
func TestListen(t *testing.T) {
	for addr, ok := range map[string][2]bool{ // without a token, with one
		"0": {true, true}, "127.0.0.1:0": {true, true}, "localhost:0": {true, true}, ":0": {false, true}, "0.0.0.0:0": {false, true},
		"example.invalid:0": {false, false}, "x": {false, false}, "127.0.0.1:99999": {false, false}, "1:2:3": {false, false},
	} {
		for i, token := range [][]byte{nil, []byte("0123456789abcdef")} {
			s, err := Listen(addr, token)
			s.Close()
			if (err == nil) != ok[i] {
				t.Errorf("%s, token %q: %v", addr, token, err)
			}
		}
	}
	taken := serve(t, nil, numbers)
	if _, err := Listen(taken.listener.Addr().String(), nil); err == nil {
		t.Error("an address was taken twice")
	}
}

// Clients that say nothing, or too much, or do not listen, cost their connections; others are answered as
// soon as there is room again, and Close ends them all.
func TestHostileClients(t *testing.T) {
	s := serve(t, nil, func(context.Context) ([]byte, error) { return make([]byte, 8<<20), nil })
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	long := dial()
	go func() {
		_, _ = fmt.Fprintf(long, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n", strings.Repeat("x", 1<<20))
	}()
	_ = long.SetReadDeadline(time.Now().Add(time.Minute))
	if text, _ := io.ReadAll(long); strings.Contains(string(text), " 200 ") {
		t.Errorf("a header of 1 MB is answered by %.80q", text)
	}
	deaf := dial()
	_, _ = io.WriteString(deaf, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
	for range clientsMax { // one of them finds no room
		dial()
	}
	extra := dial()
	_ = extra.SetReadDeadline(time.Now().Add(time.Minute))
	if n, err := extra.Read(make([]byte, 1)); n > 0 || err == nil {
		t.Error("one client too many was served")
	}
	end := time.Now().Add(2 * time.Minute)
	for {
		if code, text, err := get(s, func(*http.Request) {}); err == nil && code == 200 && len(text) == 8<<20 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("silent clients keep others out")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// A request whose numbers do not come ends with the server.
func TestClose(t *testing.T) {
	waiting := make(chan struct{})
	s := serve(t, nil, func(ctx context.Context) ([]byte, error) {
		close(waiting)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		_, _, _ = get(s, func(*http.Request) {})
	}()
	<-waiting
	s.Close()
	<-asked
	s.Close()
	unused, err := Listen("0", nil)
	if err != nil {
		t.Fatal(err)
	}
	unused.Close()
	var none *Server
	none.Close()
}
