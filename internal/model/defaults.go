package model

// Ethernet is a cluster whose nodes talk through the kernel's sockets: what a machine is taken for
// if nobody says otherwise.
var Ethernet = Machine{
	Step: 25, Copy: 0.055, Lanes: 2, Reduce: 0.045, Flag: 75, Fetch: 1350, Turn: 5000,
	Near: 170, NearWay: 50, NearLong: 16 << 10, Help: 2,
	Far: 1600, FarWay: 5000, FarGap: 500, Byte: 0.25, Both: 0.2, Touch: 0.1, FarLong: 64 << 10,
}
