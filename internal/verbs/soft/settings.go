package soft

import "github.com/weft-mpi/weft/internal/tune"

// Settings are the fields that the user of a job can choose, as settings.
func (c *Config) Settings() tune.Group {
	return tune.Group{About: "between hosts", Rows: []tune.Row{
		tune.Time("WEFT_SILENCE", &c.Silence, "a connection whose peer's host is silent for so long is given up, and made again another way"),
		tune.Alike(tune.Switch("WEFT_ENCRYPT", &c.Encrypt,
			"encrypt what travels between hosts, connections and datagrams: on, off; see docs/operating/security.md")),
		tune.Unless("WEFT_LAB_CRC", &c.NoCRC, "check everything that travels over TCP with a CRC, besides TCP's own checksum: on, off"),
	}}
}
