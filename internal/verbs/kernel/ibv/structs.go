package ibv

// SGE is struct ibv_sge: a piece of registered memory.
type SGE struct {
	Addr   uint64
	Length uint32
	LKey   uint32
}

// SendWR is struct ibv_send_wr. What follows Imm is a union: use the methods.
type SendWR struct {
	ID    uint64
	Next  *SendWR
	List  *SGE
	Count int32
	Op    WROp
	Flags uint32
	Imm   uint32 // in network order; of OpSendInvalidate the key, in host order
	wr    [4]uint64
	_     [7]uint64
}

// SetRemote fills in the peer's memory, for Writes and Reads.
func (w *SendWR) SetRemote(addr uint64, rkey uint32) { w.wr = [4]uint64{addr, uint64(rkey)} }

// Remote is what SetRemote has filled in.
func (w *SendWR) Remote() (addr uint64, rkey uint32) { return w.wr[0], uint32(w.wr[1]) }

// SetAtomic fills in the peer's word and the operands: what to add or to compare with, and what to swap in.
func (w *SendWR) SetAtomic(addr, compareAdd, swap uint64, rkey uint32) {
	w.wr = [4]uint64{addr, compareAdd, swap, uint64(rkey)}
}

// Atomic is what SetAtomic has filled in.
func (w *SendWR) Atomic() (addr, compareAdd, swap uint64, rkey uint32) {
	return w.wr[0], w.wr[1], w.wr[2], uint32(w.wr[3])
}

// SetDatagram fills in who gets a datagram.
func (w *SendWR) SetDatagram(ah uintptr, qp, qkey uint32) {
	w.wr = [4]uint64{uint64(ah), uint64(qkey)<<32 | uint64(qp)}
}

// Datagram is what SetDatagram has filled in.
func (w *SendWR) Datagram() (ah uintptr, qp, qkey uint32) {
	return uintptr(w.wr[0]), uint32(w.wr[1]), uint32(w.wr[1] >> 32)
}

// RecvWR is struct ibv_recv_wr.
type RecvWR struct {
	ID    uint64
	Next  *RecvWR
	List  *SGE
	Count int32
	_     int32
}

// WC is struct ibv_wc: a completion. Of a failed one only ID, Status and QP are meaningful.
type WC struct {
	ID      uint64
	Status  WCStatus
	Op      WCOp
	_       uint32 // vendor's error
	Len     uint32
	Imm     uint32 // in network order
	QP      uint32
	SrcQP   uint32
	Flags   uint32
	_       uint16 // partition key's index
	SrcLID  uint16
	SL      uint8
	DLIDLow uint8
	_       [2]byte
}

// QPCap is struct ibv_qp_cap: the sizes of a queue pair.
type QPCap struct{ SendWR, RecvWR, SendSGE, RecvSGE, Inline uint32 }

// QPInit is struct ibv_qp_init_attr. Pointers are filled in by whoever calls the library.
type QPInit struct {
	Context, SendCQ, RecvCQ, SRQ uintptr
	Cap                          QPCap
	Type                         QPType
	SignalAll                    int32
	_                            uint32
}

// GID is a port's address.
type GID [16]byte

// AHAttr is struct ibv_ah_attr with its ibv_global_route: the way to a port.
type AHAttr struct {
	DGID               GID
	FlowLabel          uint32
	SGIDIndex          uint8
	HopLimit           uint8
	TrafficClass       uint8
	_                  uint8
	DLID               uint16
	SL, PathBits, Rate uint8
	IsGlobal, Port, _  uint8
}

// QPAttr is struct ibv_qp_attr: what Modify changes, as its mask says.
type QPAttr struct {
	State, CurState               QPState
	PathMTU                       MTU
	_                             int32
	QKey                          uint32
	RecvPSN, SendPSN              uint32
	DestQP                        uint32
	Access                        uint32
	_                             QPCap
	AH, _                         AHAttr
	PKeyIndex                     uint16
	_                             [4]byte
	MaxReads, MaxReadsIn          uint8
	MinRNRTimer, Port             uint8
	Timeout, RetryCount, RNRRetry uint8
	_, _                          uint8
	_                             [2]uint32
}

// DeviceAttr is struct ibv_device_attr, as far as it matters: what a device can do.
type DeviceAttr struct {
	_             [96]byte
	Vendor        uint32
	_             [3]uint32
	MaxQPWR       int32
	Flags         uint32
	MaxSGE        int32
	MaxSGERead    int32
	MaxCQ         int32
	MaxCQE        int32
	_             [2]int32
	MaxReadsIn    int32 // per queue pair
	_             [2]int32
	MaxReads      int32 // per queue pair
	_             int32
	AtomicCap     int32
	_             [8]int32
	MaxAH         int32
	_             [2]int32
	MaxSRQ        int32
	MaxSRQWR      int32
	MaxSRQSGE     int32
	_             uint16
	LocalAckDelay uint8
	PhysicalPorts uint8
	_             [4]byte
}

// PortAttr is struct ibv_port_attr, as far as it matters. The library's oldest version of the call leaves
// out the link layer.
type PortAttr struct {
	State      PortState
	MaxMTU     MTU
	ActiveMTU  MTU
	GIDs       int32
	_          uint32
	MaxMessage uint32
	_          [2]uint32
	PKeys      uint16
	LID        uint16
	_          uint16
	_          [14]byte
}

// SRQAttr is struct ibv_srq_attr.
type SRQAttr struct{ MaxWR, MaxSGE, Limit uint32 }

// SRQInit is struct ibv_srq_init_attr.
type SRQInit struct {
	Context uintptr
	SRQAttr
	_ uint32
}
