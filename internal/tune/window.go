package tune

// Window is the settings of one-sided communication.
type Window struct {
	Put  int  // longest put that travels as a packet between hosts
	Get  int  // longest get that does
	Copy int  // longest one that travels through a buffer of the library's
	Meet bool // fences meet in shared memory where they can
}

var windowTable = []tunable{
	{"WEFT_RMA_PUT", "1K", "longest put between hosts, in bytes, that travels as a packet which the target serves; longer ones its device serves", func(s *Settings, v string) (err error) {
		s.Window.Put, err = parseBytes(v, 1<<30)
		return err
	}},
	{"WEFT_RMA_GET", "8K", "longest get between hosts, in bytes, that is asked for in a packet which the target answers; longer ones its device serves", func(s *Settings, v string) (err error) {
		s.Window.Get, err = parseBytes(v, 1<<30)
		return err
	}},
	{"WEFT_RMA_COPY", "9K", "longest put or get that the device moves through a registered buffer of the library's, unless the user's buffer is used often; 0: none", func(s *Settings, v string) (err error) {
		s.Window.Copy, err = parseBytes(v, 1<<30)
		return err
	}},
	{"WEFT_RMA_MEET", "on", "fences of up to 16 ranks whose memory is near meet in shared memory: on, off (they are barriers)",
		onOff(func(s *Settings) *bool { return &s.Window.Meet })},
}

func init() { table = append(table, windowTable...) }
