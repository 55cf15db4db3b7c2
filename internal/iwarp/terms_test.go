package iwarp

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// meetOnTheWire lets two sides agree through real frames.
func meetOnTheWire(t testing.TB, initiator, responder Wish) (mine, theirs Terms, err error) {
	t.Helper()
	cross := func(f StartFrame) StartFrame {
		b, err := f.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := ParseStart(b)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	req := Request(initiator, []byte("req "))
	rep, theirs, err := Answer(cross(req), responder, []byte("rep "))
	if err != nil {
		t.Fatal(err)
	}
	rep = cross(rep)
	if string(rep.Private) != "rep " {
		t.Errorf("private data %q", rep.Private)
	}
	mine, err = Conclude(req, rep)
	return mine, theirs, err
}

func TestTermsMeet(t *testing.T) {
	for _, c := range []struct {
		name                 string
		initiator, responder Wish
		mine, theirs         Terms
	}{
		{"plain", Wish{IRD: 4, ORD: 4}, Wish{IRD: 4, ORD: 4},
			Terms{Revision: 2, Enhanced: true, IRD: 4, ORD: 4}, Terms{Revision: 2, Enhanced: true, IRD: 4, ORD: 4}},
		{"initiator wants CRC", Wish{CRC: true}, Wish{},
			Terms{Revision: 2, Enhanced: true, CRC: true}, Terms{Revision: 2, Enhanced: true, CRC: true}},
		{"responder wants CRC", Wish{}, Wish{CRC: true},
			Terms{Revision: 2, Enhanced: true, CRC: true}, Terms{Revision: 2, Enhanced: true, CRC: true}},
		{"initiator wants markers", Wish{Markers: true}, Wish{},
			Terms{Revision: 2, Enhanced: true, MarkersIn: true}, Terms{Revision: 2, Enhanced: true, MarkersOut: true}},
		{"responder wants markers", Wish{}, Wish{Markers: true},
			Terms{Revision: 2, Enhanced: true, MarkersOut: true}, Terms{Revision: 2, Enhanced: true, MarkersIn: true}},
		{"initiator wants more Reads", Wish{IRD: 2, ORD: 9}, Wish{IRD: 5, ORD: 7},
			Terms{Revision: 2, Enhanced: true, IRD: 2, ORD: 5}, Terms{Revision: 2, Enhanced: true, IRD: 5, ORD: 2}},
		{"responder wants more Reads", Wish{IRD: 7, ORD: 3}, Wish{IRD: 9, ORD: 8},
			Terms{Revision: 2, Enhanced: true, IRD: 7, ORD: 3}, Terms{Revision: 2, Enhanced: true, IRD: 3, ORD: 7}},
		{"numbers beyond the field", Wish{IRD: 1 << 20, ORD: -1}, Wish{IRD: 5, ORD: 1 << 20},
			Terms{Revision: 2, Enhanced: true, IRD: 0x3ffe}, Terms{Revision: 2, Enhanced: true, ORD: 0x3ffe}},
		{"revision 1", Wish{Revision: 1, CRC: true, IRD: 2, ORD: 9, PeerToPeer: true}, Wish{IRD: 5, ORD: 7},
			Terms{Revision: 1, CRC: true, IRD: 2, ORD: 9}, Terms{Revision: 1, CRC: true, IRD: 5, ORD: 7}},
		{"peer to peer", Wish{PeerToPeer: true}, Wish{},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRWrite},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRWrite}},
		{"peer to peer, Read alone", Wish{PeerToPeer: true, RTR: RTRRead}, Wish{},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRRead},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRRead}},
		{"peer to peer, Send in common", Wish{PeerToPeer: true, RTR: RTRSend | RTRWrite}, Wish{RTR: RTRSend | RTRRead},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRSend},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRSend}},
		{"peer to peer, a responder that does Write alone", Wish{PeerToPeer: true, RTR: RTRSend}, Wish{RTR: RTRWrite},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRWrite},
			Terms{Revision: 2, Enhanced: true, PeerToPeer: true, RTR: RTRWrite}},
	} {
		mine, theirs, err := meetOnTheWire(t, c.initiator, c.responder)
		if err != nil || mine != c.mine || theirs != c.theirs {
			t.Errorf("%s: %v\ninitiator (-want +got)\n%s\nresponder (-want +got)\n%s", c.name, err,
				cmp.Diff(c.mine, mine), cmp.Diff(c.theirs, theirs))
		}
	}
}

// TestAnswerInKind: what the request leaves open stays open in the reply, and our own numbers hold.
func TestAnswerInKind(t *testing.T) {
	own := Wish{IRD: 5, ORD: 7}
	req := StartFrame{Revision: 2, Enhanced: true, IRD: Unnegotiated, ORD: Unnegotiated}
	rep, terms, err := Answer(req, own, nil)
	if err != nil || rep.IRD != Unnegotiated || rep.ORD != Unnegotiated || terms.IRD != 5 || terms.ORD != 7 {
		t.Errorf("not negotiated: %+v, %+v, %v", rep, terms, err)
	}
	rep, terms, err = Answer(StartFrame{Revision: 2, Reject: true}, own, nil)
	if err != nil || rep.Enhanced || rep.Reject || rep.Revision != 2 || terms.Enhanced || terms.IRD != 5 || terms.ORD != 7 {
		t.Errorf("revision 2, not enhanced: %+v, %+v, %v", rep, terms, err)
	}
	if _, _, err := Answer(StartFrame{Reply: true, Revision: 2}, own, nil); !errors.Is(err, ErrStart) {
		t.Errorf("a reply as request: %v", err)
	}
}

func TestConcludeSiw(t *testing.T) {
	req := StartFrame{Revision: 2, Enhanced: true, IRD: Unnegotiated, ORD: Unnegotiated}
	rep := StartFrame{Reply: true, CRC: true, Revision: 2, Enhanced: true, IRD: 128, ORD: 128}
	terms, err := Conclude(req, rep)
	if want := (Terms{Revision: 2, CRC: true, Enhanced: true, IRD: 128, ORD: 128}); err != nil || terms != want {
		t.Errorf("128 for what was not negotiated: %+v, %v", terms, err)
	}
	req.IRD, req.ORD, rep.IRD, rep.ORD = 4, 5, Unnegotiated, Unnegotiated
	if terms, err = Conclude(req, rep); err != nil || terms.IRD != 4 || terms.ORD != 5 {
		t.Errorf("not negotiated in reply: %+v, %v", terms, err)
	}
	rejection := StartFrame{Reply: true, CRC: true, Reject: true, Revision: 1}
	if _, err = Conclude(req, rejection); !errors.Is(err, ErrRejected) {
		t.Errorf("rejection in another form than the request's: %v", err)
	}
}

func TestConcludeRefuses(t *testing.T) {
	plain := Request(Wish{IRD: 2, ORD: 2}, nil)
	peer := Request(Wish{PeerToPeer: true, RTR: RTRSend | RTRRead}, nil)
	good := StartFrame{Reply: true, Revision: 2, Enhanced: true, IRD: 2, ORD: 2}
	with := func(change func(*StartFrame)) StartFrame {
		f := good
		change(&f)
		return f
	}
	for _, c := range []struct {
		name     string
		req, rep StartFrame
		want     error
	}{
		{"request as reply", plain, with(func(f *StartFrame) { f.Reply = false }), ErrStart},
		{"not enhanced", plain, with(func(f *StartFrame) { f.Enhanced = false }), ErrStart},
		{"enhanced unasked", Request(Wish{Revision: 1}, nil), with(func(f *StartFrame) { f.Revision = 1 }), ErrStart},
		{"newer revision", Request(Wish{Revision: 1}, nil), with(func(f *StartFrame) { f.Enhanced = false }), ErrStart},
		{"rejected", plain, with(func(f *StartFrame) { f.Reject = true }), ErrRejected},
		{"too many Reads", plain, with(func(f *StartFrame) { f.ORD = 3 }), FaultIRD},
		{"no peer-to-peer", peer, with(func(f *StartFrame) { f.ORD = 0 }), FaultNoRTR},
		{"no RTR", peer, with(func(f *StartFrame) { f.ORD, f.PeerToPeer = 0, true }), FaultNoRTR},
		{"other RTR", peer, with(func(f *StartFrame) { f.ORD, f.PeerToPeer, f.RTR = 0, true, RTRWrite }), FaultNoRTR},
	} {
		terms, err := Conclude(c.req, c.rep)
		if !errors.Is(err, c.want) || terms != (Terms{}) {
			t.Errorf("%s: %+v, %v, want %v", c.name, terms, err, c.want)
		}
	}
}

// TestTermsAgree: whatever both sides wish, they see the same connection, and neither has more Reads open than the
// other serves.
func TestTermsAgree(t *testing.T) {
	draw := func(t *rapid.T) Wish {
		return Wish{
			CRC: rapid.Bool().Draw(t, "crc"), Markers: rapid.Bool().Draw(t, "markers"), PeerToPeer: rapid.Bool().Draw(t, "p2p"),
			RTR: RTRKind(rapid.IntRange(0, 7).Draw(t, "rtr")), IRD: rapid.IntRange(0, 40).Draw(t, "ird"),
			ORD: rapid.IntRange(0, 40).Draw(t, "ord"), Revision: uint8(rapid.IntRange(0, 2).Draw(t, "revision")),
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		initiator, responder := draw(rt), draw(rt)
		mine, theirs, err := meetOnTheWire(t, initiator, responder)
		if err != nil {
			if !errors.Is(err, FaultNoRTR) || initiator.kinds()&responder.kinds() != 0 {
				rt.Fatalf("%+v and %+v: %v", initiator, responder, err)
			}
			return
		}
		if mine.Enhanced && (mine.ORD > theirs.IRD || theirs.ORD > mine.IRD) {
			rt.Fatalf("more Reads than served: %+v and %+v", mine, theirs)
		}
		if mine.IRD > initiator.IRD || mine.ORD > initiator.ORD || theirs.IRD > responder.IRD || theirs.ORD > responder.ORD {
			rt.Fatalf("more than wished: %+v and %+v", mine, theirs)
		}
		theirs.IRD, theirs.ORD = mine.IRD, mine.ORD
		theirs.MarkersIn, theirs.MarkersOut = theirs.MarkersOut, theirs.MarkersIn
		if mine != theirs || mine.CRC != (initiator.CRC || responder.CRC) {
			rt.Fatalf("initiator sees %+v, responder %+v", mine, theirs)
		}
	})
}
