package ibv

import "fmt"

// WROp is enum ibv_wr_opcode: what a send does.
type WROp uint32

// Operations of sends.
const (
	OpWrite WROp = iota
	OpWriteImm
	OpSend
	_
	OpRead
	OpCompareSwap
	OpFetchAdd
	_
	_
	OpSendInvalidate
)

// Flags of sends, enum ibv_send_flags.
const (
	SendFence uint32 = 1 << iota
	SendSignaled
	SendSolicited
	SendInline
)

// WCOp is enum ibv_wc_opcode: what a completion completes.
type WCOp uint32

// Operations of receives; those of sends are known to whoever posted them.
const (
	WCRecv    WCOp = 1 << 7
	WCRecvImm WCOp = 1<<7 + 1
)

// Flags of completions, enum ibv_wc_flags.
const (
	WCGRH uint32 = 1 << iota
	WCWithImm
	_
	WCWithInvalidate
)

// WCStatus is enum ibv_wc_status: how work ended.
type WCStatus uint32

// Statuses.
const (
	Success WCStatus = iota
	LocalLength
	LocalQPOperation
	LocalEECOperation
	LocalProtection
	Flushed
	MemoryWindowBind
	BadResponse
	LocalAccess
	RemoteInvalidRequest
	RemoteAccess
	RemoteOperation
	RetriesExceeded
	RNRRetriesExceeded
	_
	_
	RemoteAborted
	_
	_
	Fatal
	ResponseTimeout
	General
)

var statusNames = map[WCStatus]string{Success: "success", LocalLength: "local length error", LocalQPOperation: "local QP operation error",
	LocalEECOperation: "local EE context operation error", LocalProtection: "local protection error", Flushed: "work request flushed",
	MemoryWindowBind: "memory window bind error", BadResponse: "bad response", LocalAccess: "local access error",
	RemoteInvalidRequest: "remote invalid request", RemoteAccess: "remote access error", RemoteOperation: "remote operation error",
	RetriesExceeded: "transport retries exceeded", RNRRetriesExceeded: "receiver-not-ready retries exceeded", RemoteAborted: "remote aborted",
	Fatal: "fatal error", ResponseTimeout: "response timeout", General: "general error"}

func (s WCStatus) String() string {
	if name := statusNames[s]; name != "" {
		return name
	}
	return fmt.Sprintf("status %d", uint32(s))
}

// QPType is enum ibv_qp_type.
type QPType uint32

// Types of queue pairs.
const (
	RC QPType = 2
	UD QPType = 4
)

// QPState is enum ibv_qp_state.
type QPState uint32

// States of queue pairs.
const (
	Reset QPState = iota
	Init
	RTR
	RTS
	_
	_
	Error
)

// What Modify changes, enum ibv_qp_attr_mask.
const (
	MaskState      uint32 = 1 << 0
	MaskAccess     uint32 = 1 << 3
	MaskPKeyIndex  uint32 = 1 << 4
	MaskPort       uint32 = 1 << 5
	MaskQKey       uint32 = 1 << 6
	MaskAH         uint32 = 1 << 7
	MaskPathMTU    uint32 = 1 << 8
	MaskTimeout    uint32 = 1 << 9
	MaskRetryCount uint32 = 1 << 10
	MaskRNRRetry   uint32 = 1 << 11
	MaskRecvPSN    uint32 = 1 << 12
	MaskReads      uint32 = 1 << 13
	MaskRNRTimer   uint32 = 1 << 15
	MaskSendPSN    uint32 = 1 << 16
	MaskReadsIn    uint32 = 1 << 17
	MaskDestQP     uint32 = 1 << 20
)

// Rights to memory, enum ibv_access_flags.
const (
	AccessLocalWrite uint32 = 1 << iota
	AccessRemoteWrite
	AccessRemoteRead
	AccessRemoteAtomic
)

// MTU is enum ibv_mtu.
type MTU uint32

// Bytes is how many bytes of payload a packet carries; 0 if that is not known.
func (m MTU) Bytes() int {
	if m < 1 || m > 5 {
		return 0
	}
	return 128 << m
}

// PortState is enum ibv_port_state.
type PortState uint32

// PortActive is the state of a port that can be used.
const PortActive PortState = 4

// EventKind is enum ibv_event_type: what happened to an object.
type EventKind uint32

// Kinds of events that matter.
const (
	EventCQError     EventKind = 0
	EventQPFatal     EventKind = 1
	EventQPRequest   EventKind = 2
	EventQPAccess    EventKind = 3
	EventDeviceFatal EventKind = 8
	EventPortActive  EventKind = 9
	EventPortError   EventKind = 10
	EventSRQError    EventKind = 14
	EventSRQLimit    EventKind = 15
	EventLastWQE     EventKind = 16
)

// ModifySRQLimit is what Limit changes, enum ibv_srq_attr_mask.
const ModifySRQLimit = 1 << 1

// Where the library keeps what its inline functions read: of struct ibv_context the addresses of functions
// and a file, of others a file, numbers and keys.
const (
	ContextPollCQ      = 96
	ContextArmCQ       = 104
	ContextPostSRQ     = 168
	ContextPostSend    = 208
	ContextPostRecv    = 216
	ContextCommandFile = 264
	ContextEventFile   = 268
	ChannelFile        = 8
	QPHandle           = 48
	QPNum              = 52
	MRLKey             = 36
	MRRKey             = 40
	EventKindAt        = 8
)
