package model

// Ethernet is a cluster whose nodes talk through the kernel's sockets: what a machine is taken for
// if nobody says otherwise.
var Ethernet = Machine{
	Step: 30, Copy: 0.08, Lanes: 4, Reduce: 0.12, Flag: 80, Fetch: 700, Turn: 1500,
	Near: 150, NearWay: 120, NearLong: 64 << 10,
	Far: 3000, FarWay: 9000, FarGap: 300, Byte: 0.8, Both: 0.4, Touch: 0.15, FarLong: 64 << 10,
}
