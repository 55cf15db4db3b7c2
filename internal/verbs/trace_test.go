package verbs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest/model"
)

// TestTrace compares the trace of a short life with what it should say. Addresses of memory differ each time.
func TestTrace(t *testing.T) {
	var lines []string
	dev, qps, cqs, mr := pairOf(t, verbs.UD, func(d verbs.Device) verbs.Device {
		return verbs.Trace(d, func(s string) { lines = append(lines, s) })
	})
	sgl := []verbs.SGE{{Buf: mr.Bytes()[:5], LKey: mr.LKey()}}
	qps[1].PostRecv([]verbs.RecvWR{{ID: 3, SGL: sgl}})
	to := handle(t, dev, qps[1])
	qps[0].PostSend([]verbs.SendWR{{ID: 4, Op: verbs.Send, Flags: verbs.Signaled | verbs.Solicited, SGL: sgl, AH: to, DestQP: 4}})
	qps[0].PostSend([]verbs.SendWR{{ID: 5, Op: verbs.Write, SGL: sgl, AH: to, RemoteAddr: 16, RKey: 32}, {ID: 6, Op: verbs.CompareSwap, Compare: 1, Swap: 2}})
	var out [4]verbs.Completion
	cqs[0].Poll(out[:])
	cqs[1].Poll(out[:])
	cqs[1].Poll(out[:])
	cqs[1].Arm(true)
	dev.PollEvents(make([]verbs.Event, 4))
	qps[1].Modify(verbs.Error)
	mr.Close()
	qps[0].Close()
	cqs[1].Close()
	text := regexp.MustCompile(`at=0x[0-9a-f]{6,}`).ReplaceAllString(strings.Join(lines, "\n"), "at=ADDR")
	want := `open cq=1 64
open qp=2 UD
state qp=2 Reset->Init
state qp=2 Init->RTS
open cq=3 64
open qp=4 UD
state qp=4 Reset->Init
state qp=4 Init->RTS
register lkey=0x5 rkey=0x605 at=ADDR len=64 LocalWrite|RemoteWrite
recv qp=4 id=3 len=5 sge=1
post qp=2 Send id=4 len=5 sge=1 Signaled|Solicited to=127.0.0.1:1026/4
post qp=2 Write id=5 len=5 sge=1 at=0x10 rkey=0x20 to=127.0.0.1:1026/0
post qp=2 CompareSwap id=6 len=0 sge=0 at=0x0 rkey=0x0 compare=1 swap=2
refused qp=2 id=6 and after: operation on UD of a CompareSwap with 0 bytes: invalid argument
done cq=1 qp=2 Send id=4 OK len=5
done cq=3 qp=4 Recv id=3 OK len=5 WasSolicited from=127.0.0.1:1025/2
arm cq=3 solicited=true
event RemoteError num=2 peer=127.0.0.1:1026: Write: RemoteAccess
state qp=4 RTS->Error
deregister lkey=0x5 len=64
close qp=2
close cq=3: completion queue, 2 times: still in use`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
}

// TestTraceNothing: without anybody to write to there is no wrapper at all.
func TestTraceNothing(t *testing.T) {
	inner := model.New(model.Hooks{}).Open()
	if verbs.Trace(inner, nil) != inner {
		t.Error("wrapped for nobody")
	}
}
