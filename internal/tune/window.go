package tune

// Window is the settings of one-sided communication.
type Window struct {
	Packet int // longest put or get that travels as a packet between hosts
	Copy   int // longest one that travels through a buffer of the library's
}

var windowTable = []tunable{
	{"WEFT_RMA_PACKET", "2K", "longest put or get between hosts, in bytes, that travels as a packet which the target serves; longer ones its device serves", func(s *Settings, v string) (err error) {
		s.Window.Packet, err = parseBytes(v, 1<<30)
		return err
	}},
	{"WEFT_RMA_COPY", "9K", "longest put or get that the device moves through a registered buffer of the library's, unless the user's buffer is used often; 0: none", func(s *Settings, v string) (err error) {
		s.Window.Copy, err = parseBytes(v, 1<<30)
		return err
	}},
}

func init() { table = append(table, windowTable...) }
