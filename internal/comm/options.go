package comm

import "github.com/weft-mpi/weft/internal/tune"

// Options are what can be chosen of communicators, and of the windows that stand on them.
type Options struct {
	BsendMax int // bytes of buffered sends that may be on their way at a time
	Numbers  int // of communicators that a process leads, before they come again
	Window   WindowEnv
}

// WindowEnv is what a job sets for windows.
type WindowEnv struct {
	Put  int  // longest put that travels as a packet though a device could move it
	Get  int  // longest get that does
	Copy int  // longest one that a device moves through a buffer of ours, unless the user's is used often
	Meet bool // fences meet in shared memory where they can
}

// Defaults are the options of a job whose user says nothing.
func Defaults() Options {
	return Options{BsendMax: 256 << 20, Numbers: mostNumbers, Window: WindowEnv{Put: 1 << 10, Get: 8 << 10, Copy: 9 << 10, Meet: true}}
}

// Settings are the options as settings.
func (o *Options) Settings() tune.Group {
	w := &o.Window
	return tune.Group{About: "messages", Rows: []tune.Row{
		tune.Bytes("WEFT_BSEND", &o.BsendMax, 0, 1<<44, "bytes of buffered sends that may be on their way at a time"),
		tune.Count("WEFT_LAB_COMM_NUMBERS", &o.Numbers, 1, mostNumbers, "communicators that a process may lead at a time; their numbers come again after so many"),
		tune.Bytes("WEFT_LAB_RMA_PUT", &w.Put, 0, 1<<30, "longest put between hosts, in bytes, that travels as a packet which the target serves; longer ones its device serves"),
		tune.Bytes("WEFT_LAB_RMA_GET", &w.Get, 0, 1<<30, "longest get between hosts, in bytes, that is asked for in a packet which the target answers; longer ones its device serves"),
		tune.Bytes("WEFT_LAB_RMA_COPY", &w.Copy, 0, 1<<30, "longest put or get that the device moves through a registered buffer of the library's, unless the user's buffer is used often; 0: none"),
		tune.Alike(tune.Switch("WEFT_LAB_RMA_MEET", &w.Meet, "fences of up to 16 ranks whose memory is near meet in shared memory: on, off (they are barriers)")),
	}}
}
