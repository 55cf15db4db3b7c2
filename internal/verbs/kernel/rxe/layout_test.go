package rxe

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv/ctest"
)

// TestLayout has a C compiler hold offsets against the kernel's header.
func TestLayout(t *testing.T) {
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include <linux/socket.h>\n#include <netinet/in.h>\n#include <rdma/rdma_user_rxe.h>\n")
	for what, want := range map[string]int{
		"offsetof(struct rxe_send_wqe, wr.opcode)": sendOp, "offsetof(struct rxe_send_wqe, wr.send_flags)": sendFlags,
		"offsetof(struct rxe_send_wqe, wr.ex)": sendImm, "offsetof(struct rxe_send_wqe, wr.wr.rdma.remote_addr)": sendAddr,
		"offsetof(struct rxe_send_wqe, wr.wr.rdma.rkey)": sendKey, "offsetof(struct rxe_send_wqe, wr.wr.atomic.compare_add)": sendCompare,
		"offsetof(struct rxe_send_wqe, wr.wr.atomic.swap)": sendSwap, "offsetof(struct rxe_send_wqe, wr.wr.atomic.rkey)": sendAtomKey,
		"offsetof(struct rxe_send_wqe, iova)": sendIOVA, "offsetof(struct rxe_send_wqe, ssn)": sendSequence, "offsetof(struct rxe_send_wqe, dma)": sendDMA,
		"offsetof(struct rxe_send_wqe, dma.sge)": sendPieces, "offsetof(struct rxe_recv_wqe, dma)": recvDMA, "offsetof(struct rxe_recv_wqe, dma.sge)": recvPieces,
		"offsetof(struct rxe_dma_info, resid)": dmaRest, "offsetof(struct rxe_dma_info, num_sge)": dmaCount, "sizeof(struct rxe_sge)": pieceSize,
		"offsetof(struct rxe_queue_buf, log2_elem_size)": sizeAt, "offsetof(struct rxe_queue_buf, index_mask)": maskAt,
		"offsetof(struct rxe_queue_buf, producer_index)": producerAt, "offsetof(struct rxe_queue_buf, consumer_index)": consumerAt,
		"offsetof(struct rxe_queue_buf, data)": entriesAt,
	} {
		fmt.Fprintf(&b, "_Static_assert(%s == %d, \"%s is not %d\");\n", what, want, what, want)
	}
	if said, err := ctest.Compile(t, "rdma/rdma_user_rxe.h", b.String()); err != nil {
		t.Errorf("the kernel's header says otherwise: %v\n%s", err, said)
	}
	if n := unsafe.Sizeof(ibv.WC{}); n != wcSize {
		t.Errorf("a completion has %d bytes", n)
	}
}
