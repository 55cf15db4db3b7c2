package ibv

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv/ctest"
)

// field is a field of a C struct and where Go has it.
type field struct {
	name string
	at   uintptr
}

// layouts are the mirrors of C structs, with what Go thinks of them.
func layouts() map[string]struct {
	size   uintptr
	fields []field
} {
	type layout = struct {
		size   uintptr
		fields []field
	}
	var (
		sge    SGE
		send   SendWR
		recv   RecvWR
		wc     WC
		init   QPInit
		ah     AHAttr
		qp     QPAttr
		device DeviceAttr
		port   PortAttr
		srq    SRQInit
	)
	wr := unsafe.Offsetof(send.wr)
	return map[string]layout{
		"ibv_sge": {unsafe.Sizeof(sge), []field{{"addr", unsafe.Offsetof(sge.Addr)}, {"length", unsafe.Offsetof(sge.Length)}, {"lkey", unsafe.Offsetof(sge.LKey)}}},
		"ibv_send_wr": {unsafe.Sizeof(send), []field{{"wr_id", 0}, {"next", unsafe.Offsetof(send.Next)}, {"sg_list", unsafe.Offsetof(send.List)},
			{"num_sge", unsafe.Offsetof(send.Count)}, {"opcode", unsafe.Offsetof(send.Op)}, {"send_flags", unsafe.Offsetof(send.Flags)},
			{"imm_data", unsafe.Offsetof(send.Imm)}, {"invalidate_rkey", unsafe.Offsetof(send.Imm)},
			{"wr.rdma.remote_addr", wr}, {"wr.rdma.rkey", wr + 8},
			{"wr.atomic.remote_addr", wr}, {"wr.atomic.compare_add", wr + 8}, {"wr.atomic.swap", wr + 16}, {"wr.atomic.rkey", wr + 24},
			{"wr.ud.ah", wr}, {"wr.ud.remote_qpn", wr + 8}, {"wr.ud.remote_qkey", wr + 12}}},
		"ibv_recv_wr": {unsafe.Sizeof(recv), []field{{"wr_id", 0}, {"next", unsafe.Offsetof(recv.Next)}, {"sg_list", unsafe.Offsetof(recv.List)},
			{"num_sge", unsafe.Offsetof(recv.Count)}}},
		"ibv_wc": {unsafe.Sizeof(wc), []field{{"wr_id", 0}, {"status", unsafe.Offsetof(wc.Status)}, {"opcode", unsafe.Offsetof(wc.Op)},
			{"byte_len", unsafe.Offsetof(wc.Len)}, {"imm_data", unsafe.Offsetof(wc.Imm)}, {"qp_num", unsafe.Offsetof(wc.QP)},
			{"src_qp", unsafe.Offsetof(wc.SrcQP)}, {"wc_flags", unsafe.Offsetof(wc.Flags)}, {"slid", unsafe.Offsetof(wc.SrcLID)}, {"sl", unsafe.Offsetof(wc.SL)}}},
		"ibv_qp_init_attr": {unsafe.Sizeof(init), []field{{"qp_context", 0}, {"send_cq", unsafe.Offsetof(init.SendCQ)}, {"recv_cq", unsafe.Offsetof(init.RecvCQ)},
			{"srq", unsafe.Offsetof(init.SRQ)}, {"cap", unsafe.Offsetof(init.Cap)}, {"cap.max_inline_data", unsafe.Offsetof(init.Cap) + unsafe.Offsetof(init.Cap.Inline)},
			{"qp_type", unsafe.Offsetof(init.Type)}, {"sq_sig_all", unsafe.Offsetof(init.SignalAll)}}},
		"ibv_ah_attr": {unsafe.Sizeof(ah), []field{{"grh.dgid", 0}, {"grh.flow_label", unsafe.Offsetof(ah.FlowLabel)}, {"grh.sgid_index", unsafe.Offsetof(ah.SGIDIndex)},
			{"grh.hop_limit", unsafe.Offsetof(ah.HopLimit)}, {"grh.traffic_class", unsafe.Offsetof(ah.TrafficClass)}, {"dlid", unsafe.Offsetof(ah.DLID)},
			{"sl", unsafe.Offsetof(ah.SL)}, {"is_global", unsafe.Offsetof(ah.IsGlobal)}, {"port_num", unsafe.Offsetof(ah.Port)}}},
		"ibv_qp_attr": {unsafe.Sizeof(qp), []field{{"qp_state", 0}, {"path_mtu", unsafe.Offsetof(qp.PathMTU)}, {"qkey", unsafe.Offsetof(qp.QKey)},
			{"rq_psn", unsafe.Offsetof(qp.RecvPSN)}, {"sq_psn", unsafe.Offsetof(qp.SendPSN)}, {"dest_qp_num", unsafe.Offsetof(qp.DestQP)},
			{"qp_access_flags", unsafe.Offsetof(qp.Access)}, {"ah_attr", unsafe.Offsetof(qp.AH)}, {"pkey_index", unsafe.Offsetof(qp.PKeyIndex)},
			{"max_rd_atomic", unsafe.Offsetof(qp.MaxReads)}, {"max_dest_rd_atomic", unsafe.Offsetof(qp.MaxReadsIn)}, {"min_rnr_timer", unsafe.Offsetof(qp.MinRNRTimer)},
			{"port_num", unsafe.Offsetof(qp.Port)}, {"timeout", unsafe.Offsetof(qp.Timeout)}, {"retry_cnt", unsafe.Offsetof(qp.RetryCount)}, {"rnr_retry", unsafe.Offsetof(qp.RNRRetry)}}},
		"ibv_device_attr": {unsafe.Sizeof(device), []field{{"vendor_id", unsafe.Offsetof(device.Vendor)}, {"max_qp_wr", unsafe.Offsetof(device.MaxQPWR)}, {"device_cap_flags", unsafe.Offsetof(device.Flags)},
			{"max_sge", unsafe.Offsetof(device.MaxSGE)}, {"max_sge_rd", unsafe.Offsetof(device.MaxSGERead)}, {"max_cqe", unsafe.Offsetof(device.MaxCQE)},
			{"max_qp_rd_atom", unsafe.Offsetof(device.MaxReadsIn)}, {"max_qp_init_rd_atom", unsafe.Offsetof(device.MaxReads)}, {"atomic_cap", unsafe.Offsetof(device.AtomicCap)},
			{"max_ah", unsafe.Offsetof(device.MaxAH)}, {"max_srq", unsafe.Offsetof(device.MaxSRQ)}, {"max_srq_wr", unsafe.Offsetof(device.MaxSRQWR)},
			{"max_srq_sge", unsafe.Offsetof(device.MaxSRQSGE)}, {"local_ca_ack_delay", unsafe.Offsetof(device.LocalAckDelay)}, {"phys_port_cnt", unsafe.Offsetof(device.PhysicalPorts)}}},
		"ibv_port_attr": {unsafe.Sizeof(port), []field{{"state", 0}, {"max_mtu", unsafe.Offsetof(port.MaxMTU)}, {"active_mtu", unsafe.Offsetof(port.ActiveMTU)},
			{"gid_tbl_len", unsafe.Offsetof(port.GIDs)}, {"max_msg_sz", unsafe.Offsetof(port.MaxMessage)}, {"pkey_tbl_len", unsafe.Offsetof(port.PKeys)}, {"lid", unsafe.Offsetof(port.LID)}}},
		"ibv_srq_init_attr": {unsafe.Sizeof(srq), []field{{"srq_context", 0}, {"attr.max_wr", unsafe.Offsetof(srq.SRQAttr)}, {"attr.srq_limit", unsafe.Offsetof(srq.Limit)}}},
	}
}

// constants are those that Go writes down and C has names for.
var constants = map[string]int{
	"IBV_WR_RDMA_WRITE": int(OpWrite), "IBV_WR_RDMA_WRITE_WITH_IMM": int(OpWriteImm), "IBV_WR_SEND": int(OpSend), "IBV_WR_RDMA_READ": int(OpRead),
	"IBV_WR_ATOMIC_CMP_AND_SWP": int(OpCompareSwap), "IBV_WR_ATOMIC_FETCH_AND_ADD": int(OpFetchAdd), "IBV_WR_SEND_WITH_INV": int(OpSendInvalidate),
	"IBV_SEND_FENCE": int(SendFence), "IBV_SEND_SIGNALED": int(SendSignaled), "IBV_SEND_SOLICITED": int(SendSolicited), "IBV_SEND_INLINE": int(SendInline),
	"IBV_WC_RECV": int(WCRecv), "IBV_WC_RECV_RDMA_WITH_IMM": int(WCRecvImm), "IBV_WC_GRH": int(WCGRH), "IBV_WC_WITH_IMM": int(WCWithImm), "IBV_WC_WITH_INV": int(WCWithInvalidate),
	"IBV_WC_WR_FLUSH_ERR": int(Flushed), "IBV_WC_REM_ACCESS_ERR": int(RemoteAccess), "IBV_WC_RNR_RETRY_EXC_ERR": int(RNRRetriesExceeded),
	"IBV_WC_REM_ABORT_ERR": int(RemoteAborted), "IBV_WC_GENERAL_ERR": int(General), "IBV_WC_LOC_ACCESS_ERR": int(LocalAccess),
	"IBV_QPT_RC": int(RC), "IBV_QPT_UD": int(UD), "IBV_QPS_RTS": int(RTS), "IBV_QPS_ERR": int(Error),
	"IBV_QP_STATE": int(MaskState), "IBV_QP_ACCESS_FLAGS": int(MaskAccess), "IBV_QP_PKEY_INDEX": int(MaskPKeyIndex), "IBV_QP_PORT": int(MaskPort), "IBV_QP_QKEY": int(MaskQKey),
	"IBV_QP_AV": int(MaskAH), "IBV_QP_PATH_MTU": int(MaskPathMTU), "IBV_QP_TIMEOUT": int(MaskTimeout), "IBV_QP_RETRY_CNT": int(MaskRetryCount),
	"IBV_QP_RNR_RETRY": int(MaskRNRRetry), "IBV_QP_RQ_PSN": int(MaskRecvPSN), "IBV_QP_MAX_QP_RD_ATOMIC": int(MaskReads), "IBV_QP_MIN_RNR_TIMER": int(MaskRNRTimer),
	"IBV_QP_SQ_PSN": int(MaskSendPSN), "IBV_QP_MAX_DEST_RD_ATOMIC": int(MaskReadsIn), "IBV_QP_DEST_QPN": int(MaskDestQP),
	"IBV_ACCESS_LOCAL_WRITE": int(AccessLocalWrite), "IBV_ACCESS_REMOTE_WRITE": int(AccessRemoteWrite), "IBV_ACCESS_REMOTE_READ": int(AccessRemoteRead),
	"IBV_ACCESS_REMOTE_ATOMIC": int(AccessRemoteAtomic), "IBV_PORT_ACTIVE": int(PortActive), "IBV_SRQ_LIMIT": ModifySRQLimit,
	"IBV_EVENT_CQ_ERR": int(EventCQError), "IBV_EVENT_QP_ACCESS_ERR": int(EventQPAccess), "IBV_EVENT_DEVICE_FATAL": int(EventDeviceFatal),
	"IBV_EVENT_PORT_ERR": int(EventPortError), "IBV_EVENT_SRQ_LIMIT_REACHED": int(EventSRQLimit), "IBV_EVENT_QP_LAST_WQE_REACHED": int(EventLastWQE),
}

// TestLayout has a C compiler hold sizes, offsets and constants against the headers of libibverbs.
func TestLayout(t *testing.T) {
	const header = "infiniband/verbs.h"
	if said, err := ctest.Compile(t, header, assertions(0)); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if _, err := ctest.Compile(t, header, assertions(8)); err == nil {
		t.Error("the compiler does not mind that every size is wrong")
	}
}

// assertions is a C program that compiles if Go is right, and all sizes are off by so many bytes.
func assertions(off uintptr) string {
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include <infiniband/verbs.h>\n")
	for name, l := range layouts() {
		fmt.Fprintf(&b, "_Static_assert(sizeof(struct %s) == %d, \"size of %s\");\n", name, l.size+off, name)
		for _, f := range l.fields {
			fmt.Fprintf(&b, "_Static_assert(offsetof(struct %s, %s) == %d, \"%s.%s\");\n", name, f.name, f.at, name, f.name)
		}
	}
	for name, value := range constants {
		fmt.Fprintf(&b, "_Static_assert(%s == %d, \"%s\");\n", name, value, name)
	}
	// What package ffi reads of objects that the library owns.
	for what, at := range map[string]uintptr{"ibv_context, ops.poll_cq": ContextPollCQ, "ibv_context, ops.req_notify_cq": ContextArmCQ,
		"ibv_context, ops.post_srq_recv": ContextPostSRQ, "ibv_context, ops.post_send": ContextPostSend, "ibv_context, ops.post_recv": ContextPostRecv,
		"ibv_context, async_fd": ContextEventFile, "ibv_context, cmd_fd": ContextCommandFile, "ibv_qp, handle": QPHandle, "ibv_comp_channel, fd": ChannelFile, "ibv_qp, qp_num": QPNum, "ibv_mr, lkey": MRLKey,
		"ibv_mr, rkey": MRRKey, "ibv_async_event, event_type": EventKindAt} {
		fmt.Fprintf(&b, "_Static_assert(offsetof(struct %s) == %d, \"%s\");\n", what, at, what)
	}
	return b.String()
}
