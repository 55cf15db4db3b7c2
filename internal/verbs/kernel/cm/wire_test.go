package cm

import (
	"bytes"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv/ctest"
)

// TestSizes has a C compiler hold sizes, offsets and numbers against the kernel's header.
func TestSizes(t *testing.T) {
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include <linux/socket.h>\n#include <netinet/in.h>\n#include <rdma/rdma_user_cm.h>\n")
	for what, want := range map[string]int{
		"RDMA_USER_CM_ABI_VERSION": 4, "RDMA_USER_CM_CMD_CREATE_ID": cmdCreate, "RDMA_USER_CM_CMD_DESTROY_ID": cmdDestroy,
		"RDMA_USER_CM_CMD_RESOLVE_ROUTE": cmdResolveRoute, "RDMA_USER_CM_CMD_CONNECT": cmdConnect, "RDMA_USER_CM_CMD_LISTEN": cmdListen,
		"RDMA_USER_CM_CMD_ACCEPT": cmdAccept, "RDMA_USER_CM_CMD_REJECT": cmdReject, "RDMA_USER_CM_CMD_DISCONNECT": cmdDisconnect,
		"RDMA_USER_CM_CMD_GET_EVENT": cmdGetEvent, "RDMA_USER_CM_CMD_QUERY": cmdQuery, "RDMA_USER_CM_CMD_BIND": cmdBind,
		"RDMA_USER_CM_CMD_RESOLVE_ADDR": cmdResolveAddr, "RDMA_USER_CM_QUERY_ADDR": 0, "RDMA_MAX_PRIVATE_DATA": privateField, "RDMA_PS_TCP": portSpaceTCP,
		"sizeof(struct rdma_ucm_cmd_hdr)": headerSize, "sizeof(struct rdma_ucm_conn_param)": paramSize, "sizeof(struct rdma_ucm_event_resp)": eventSize,
		"sizeof(struct rdma_ucm_query_addr_resp)": addressSize, "sizeof(struct __kernel_sockaddr_storage)": storageSize,
		"offsetof(struct rdma_ucm_event_resp, param)": 20, "offsetof(struct rdma_ucm_query_addr_resp, src_addr)": 16,
		"offsetof(struct rdma_ucm_query_addr_resp, dst_size)": 14, "offsetof(struct rdma_ucm_resolve_addr, src_addr)": 16,
		"offsetof(struct rdma_ucm_resolve_addr, dst_size)": 10, "offsetof(struct rdma_ucm_conn_param, private_data_len)": 264,
		"offsetof(struct rdma_ucm_conn_param, rnr_retry_count)": 270, "offsetof(struct rdma_ucm_accept, id)": 280,
		"sizeof(struct rdma_ucm_accept)": 296, "sizeof(struct rdma_ucm_connect)": 288, "sizeof(struct rdma_ucm_create_id)": 24,
		"sizeof(struct rdma_ucm_reject)": 264, "offsetof(struct rdma_ucm_reject, private_data)": 8, "sizeof(struct rdma_ucm_bind)": 136,
	} {
		fmt.Fprintf(&b, "_Static_assert(%s == %d, \"%s\");\n", what, want, what)
	}
	if said, err := ctest.Compile(t, "rdma/rdma_user_cm.h", b.String()); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// appendEvent writes struct rdma_ucm_event_resp, as the kernel does.
func appendEvent(b []byte, e *Event) ([]byte, error) {
	start := len(b)
	b = order.AppendUint64(b, e.UID)
	b = order.AppendUint32(b, uint32(e.ID))
	b = order.AppendUint32(b, uint32(e.Kind))
	b = order.AppendUint32(b, uint32(e.Status))
	b, err := appendParam(b, &e.Param)
	if err != nil {
		return nil, err
	}
	return append(b, make([]byte, eventSize-(len(b)-start))...), nil
}

// TestEvent: what is written is read again, and nothing that is cut short.
func TestEvent(t *testing.T) {
	for _, n := range []int{0, 1, MaxPrivate} {
		e := Event{UID: 1 << 40, ID: 7, Kind: Rejected, Status: -111,
			Param: Param{QP: 99, Private: bytes.Repeat([]byte{5}, n), SRQ: true, ReadsIn: 3, Reads: 4, Retries: 5, RNR: 6}}
		b, err := appendEvent(nil, &e)
		if err != nil || len(b) != eventSize {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		got, err := parseEvent(b)
		if n == 0 {
			e.Param.Private = nil
		}
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("read %+v, %v, wrote %+v", got, err, e)
		}
		for i := range 20 + paramSize {
			if _, err := parseEvent(b[:i]); err == nil {
				t.Fatalf("%d bytes were enough", i)
			}
		}
	}
	if _, err := appendParam(nil, &Param{Private: make([]byte, MaxPrivate+1)}); err == nil {
		t.Error("too much private data was written")
	}
}

func TestAddrs(t *testing.T) {
	for _, text := range []string{"10.1.2.3:4000", "[2001:db8::1]:65535", "0.0.0.0:0"} {
		a := netip.MustParseAddrPort(text)
		b, n, err := appendAddr(nil, a)
		if err != nil || len(b) != storageSize || n != map[bool]int{true: 16, false: 28}[a.Addr().Is4()] {
			t.Fatalf("%v: %d of %d bytes, %v", a, n, len(b), err)
		}
		if got, err := parseAddr(b); err != nil || got != a {
			t.Errorf("read %v, %v, wrote %v", got, err, a)
		}
	}
	for _, a := range []netip.AddrPort{{}, netip.MustParseAddrPort("[fe80::1%eth0]:1")} {
		if _, _, err := appendAddr(nil, a); err == nil {
			t.Errorf("%v was written", a)
		}
	}
	if _, err := parseAddr(make([]byte, storageSize)); err == nil {
		t.Error("an address of no family was read")
	}
}

// FuzzEvent: whatever the kernel says is read or refused, and what is read is written the same way.
func FuzzEvent(f *testing.F) {
	b, _ := appendEvent(nil, &Event{UID: 1, ID: 2, Kind: ConnectRequest, Param: Param{Private: []byte("hello")}})
	f.Add(b)
	f.Add(b[:30])
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := parseEvent(b)
		if err != nil {
			return
		}
		again, err := appendEvent(nil, &e)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := parseEvent(again); err != nil || !reflect.DeepEqual(second, e) {
			t.Errorf("read %+v, then %+v, %v", e, second, err)
		}
	})
}

// FuzzAddrs likewise for addresses.
func FuzzAddrs(f *testing.F) {
	b, _, _ := appendAddr(make([]byte, 16), netip.MustParseAddrPort("10.1.2.3:4000"))
	f.Add(append(b, make([]byte, storageSize+8)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		near, far, err := parseAddrs(b)
		if err == nil && (!near.Addr().IsValid() || far.IsValid() && far.Addr().Is4In6()) {
			t.Errorf("read %v and %v", near, far)
		}
	})
}
