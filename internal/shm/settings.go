package shm

import "github.com/weft-mpi/weft/internal/tune"

// Settings are the fields that can be chosen, as settings. Their zero values are the defaults.
func (c *Config) Settings() tune.Group {
	return tune.Group{About: "within a host", Rows: []tune.Row{
		tune.Bytes("WEFT_LAB_EAGER_MAX", &c.EagerMax, 0, announceMax, "longest message in bytes that is copied through shared memory; 0 lets the link decide"),
		tune.Unless("WEFT_CMA", &c.NoCMA, "move long messages by one copy between processes where the kernel allows it: on, off"),
	}}
}
