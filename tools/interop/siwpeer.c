/* siwpeer: the other end of the interoperability tests, a verbs program for siw.
 *
 *   siwpeer listen PORT [TEXT]          accept one connection, TEXT is the private data of the answer
 *   siwpeer reject PORT [TEXT]          refuse one connection, with TEXT as the reason
 *   siwpeer connect ADDRESS PORT [TEXT] connect, TEXT is the private data of the request
 *
 * Once connected it does what it is told: a command arrives as a Send of 24 bytes and is answered by one of 24 bytes
 * (struct note, big-endian). Who connects sends first, so the side that called "connect" begins with an answer to a
 * command nobody gave, CMD_INFO. It prints what it sees, one event a line, for the tests to read:
 *
 *   private TEXT    established    rejected TEXT    received SIZE bytes, right|wrong
 *   disconnected    async NAME     failed OPERATION: STATUS
 *
 * Exit code: 0 after an orderly end, 1 after a failed operation, 2 for misuse or a system error.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WINDOW = 1 << 20,   /* bytes the other side may write and read */
	SLOTS = 4,          /* receives posted */
	SLOT = WINDOW + 64, /* bytes of each */
	DEPTH = 8,          /* RDMA Reads outstanding, each way */
	SECONDS = 60,       /* the program never lives longer */
};

enum command {
	CMD_INFO = 1, /* tell where the window is */
	CMD_FILL,     /* fill the window with the pattern of a seed */
	CMD_CHECK,    /* compare the window with it */
	CMD_RECV,     /* the next message is data: compare it */
	CMD_SEND,     /* send that many bytes of the pattern, then the answer */
	CMD_SENDSE,   /* the same with a solicited event */
	CMD_WRITE,    /* write them to the given address and key */
	CMD_READ,     /* read from there and compare */
	CMD_CLOSE,    /* disconnect */
	CMD_ABORT,    /* exit at once, without a word */
	CMD_SENDINV,  /* as CMD_SEND, and invalidate the given key */
	CMD_STARVE,   /* from now on post no receive and ignore what comes */
};

struct note {
	uint32_t command, size; /* in an answer, size is the status: 0, or 1 + index of the first wrong byte */
	uint64_t address;
	uint32_t key, seed;
};

enum work { WORK_SEND = 100, WORK_WRITE, WORK_READ }; /* below these, wr_id is the number of a receive */

static struct rdma_event_channel *events;
static struct rdma_cm_id *id;
static struct ibv_comp_channel *wakeups;
static struct ibv_cq *cq;
static struct ibv_mr *window, *outbox, *inbox;
static int starving;

/* Messages that arrived while something else was waited for, oldest first. */
static struct message {
	int slot;
	uint32_t bytes;
} pending[SLOTS];
static int pending_count;

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(2);
}

static uint8_t pattern(uint32_t seed, uint32_t i) { return seed * 31 + i * 7 + (i >> 8); }

static void fill(uint8_t *p, uint32_t size, uint32_t seed)
{
	for (uint32_t i = 0; i < size; i++)
		p[i] = pattern(seed, i);
}

static uint32_t compare(const uint8_t *p, uint32_t size, uint32_t seed)
{
	for (uint32_t i = 0; i < size; i++)
		if (p[i] != pattern(seed, i))
			return i + 1;
	return 0;
}

/* ---- the connection */

static struct ibv_mr *memory(size_t size, int access)
{
	void *p;
	if (posix_memalign(&p, 4096, size))
		die("memory");
	memset(p, 0, size);
	struct ibv_mr *mr = ibv_reg_mr(id->pd, p, size, IBV_ACCESS_LOCAL_WRITE | access);
	if (!mr)
		die("ibv_reg_mr");
	return mr;
}

static void post_receive(int slot)
{
	if (starving)
		return;
	struct ibv_sge sge = {(uintptr_t)inbox->addr + (size_t)slot * SLOT, SLOT, inbox->lkey};
	struct ibv_recv_wr wr = {.wr_id = slot, .sg_list = &sge, .num_sge = 1}, *bad;
	if (ibv_post_recv(id->qp, &wr, &bad))
		die("ibv_post_recv");
}

static void make_queues(void)
{
	if (!(id->pd = ibv_alloc_pd(id->verbs)) || !(wakeups = ibv_create_comp_channel(id->verbs)) ||
	    !(cq = ibv_create_cq(id->verbs, 64, NULL, wakeups, 0)))
		die("queues");
	fcntl(wakeups->fd, F_SETFL, O_NONBLOCK);
	fcntl(id->verbs->async_fd, F_SETFL, O_NONBLOCK);
	struct ibv_qp_init_attr attr = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC};
	attr.cap.max_send_wr = attr.cap.max_recv_wr = 16;
	attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
	if (rdma_create_qp(id, id->pd, &attr))
		die("rdma_create_qp");
	window = memory(WINDOW, IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
	/* The sink of an RDMA Read is named in the request and written by the response: iWARP wants remote write there. */
	outbox = memory(WINDOW, IBV_ACCESS_REMOTE_WRITE);
	inbox = memory((size_t)SLOTS * SLOT, 0);
	for (int i = 0; i < SLOTS; i++)
		post_receive(i);
}

static void print_private(const char *word, const struct rdma_cm_event *e)
{
	printf("%s %.*s\n", word, (int)e->param.conn.private_data_len, (const char *)e->param.conn.private_data);
}

/* await waits for an event of the connection manager, which must be the wanted one. */
static void await(enum rdma_cm_event_type want)
{
	struct rdma_cm_event *e;
	if (rdma_get_cm_event(events, &e))
		die("rdma_get_cm_event");
	enum rdma_cm_event_type got = e->event;
	if (got == RDMA_CM_EVENT_REJECTED)
		print_private("rejected", e);
	if (got == RDMA_CM_EVENT_CONNECT_REQUEST) {
		print_private("private", e);
		id = e->id;
	}
	if (got == RDMA_CM_EVENT_ESTABLISHED) {
		if (want == RDMA_CM_EVENT_ESTABLISHED && e->param.conn.private_data_len)
			print_private("private", e);
		printf("established\n");
	}
	int status = e->status;
	rdma_ack_cm_event(e);
	if (got == RDMA_CM_EVENT_REJECTED)
		exit(0);
	if (got != want) {
		printf("failed connect: %s %d\n", rdma_event_str(got), status);
		exit(1);
	}
}

static struct rdma_conn_param parameters(const char *text)
{
	struct rdma_conn_param p = {.responder_resources = DEPTH, .initiator_depth = DEPTH};
	p.private_data = text;
	p.private_data_len = strlen(text);
	return p;
}

static void listen_on(int port, const char *text, int reject)
{
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct rdma_cm_id *listener;
	if (rdma_create_id(events, &listener, NULL, RDMA_PS_TCP) || rdma_bind_addr(listener, (struct sockaddr *)&any) ||
	    rdma_listen(listener, 1))
		die("listen");
	await(RDMA_CM_EVENT_CONNECT_REQUEST);
	if (reject) {
		if (rdma_reject(id, text, strlen(text)))
			die("rdma_reject");
		exit(0);
	}
	make_queues();
	struct rdma_conn_param p = parameters(text);
	if (rdma_accept(id, &p))
		die("rdma_accept");
	await(RDMA_CM_EVENT_ESTABLISHED);
}

static void connect_to(const char *address, int port, const char *text)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
	if (inet_pton(AF_INET, address, &to.sin_addr) != 1)
		die("address");
	if (rdma_create_id(events, &id, NULL, RDMA_PS_TCP) || rdma_resolve_addr(id, NULL, (struct sockaddr *)&to, 2000))
		die("rdma_resolve_addr");
	await(RDMA_CM_EVENT_ADDR_RESOLVED);
	if (rdma_resolve_route(id, 2000))
		die("rdma_resolve_route");
	await(RDMA_CM_EVENT_ROUTE_RESOLVED);
	make_queues();
	struct rdma_conn_param p = parameters(text);
	if (rdma_connect(id, &p))
		die("rdma_connect");
	await(RDMA_CM_EVENT_ESTABLISHED);
}

/* ---- work */

static void print_async(void)
{
	struct ibv_async_event e;
	if (ibv_get_async_event(id->verbs, &e))
		return;
	printf("async %s\n", ibv_event_type_str(e.event_type));
	ibv_ack_async_event(&e);
}

/* gone is called when the connection manager has something to say on a live connection: its end. */
static void gone(void)
{
	struct rdma_cm_event *e;
	if (rdma_get_cm_event(events, &e))
		die("rdma_get_cm_event");
	print_async();
	printf("%s\n", e->event == RDMA_CM_EVENT_DISCONNECTED ? "disconnected" : rdma_event_str(e->event));
	exit(0);
}

/* completion returns the next completion, and ends the program if the connection ends first. */
static struct ibv_wc completion(void)
{
	struct ibv_wc wc;
	for (;;) {
		if (ibv_poll_cq(cq, 1, &wc) == 1)
			return wc;
		if (ibv_req_notify_cq(cq, 0))
			die("ibv_req_notify_cq");
		if (ibv_poll_cq(cq, 1, &wc) == 1)
			return wc;
		struct pollfd fds[] = {{wakeups->fd, POLLIN, 0}, {events->fd, POLLIN, 0}, {id->verbs->async_fd, POLLIN, 0}};
		poll(fds, 3, 1000);
		if (fds[0].revents) {
			struct ibv_cq *c;
			void *context;
			if (!ibv_get_cq_event(wakeups, &c, &context))
				ibv_ack_cq_events(c, 1);
			continue;
		}
		if (fds[2].revents)
			print_async();
		if (fds[1].revents)
			gone();
	}
}

static const char *work_name(uint64_t work)
{
	return work == WORK_SEND ? "send" : work == WORK_WRITE ? "write" : work == WORK_READ ? "read" : "receive";
}

/* advance takes the next completion, keeps it if it is a message, and returns whose it is. Failed work ends the program,
 * except for receives that were flushed: the connection's end is told as an event. */
static uint64_t advance(void)
{
	struct ibv_wc wc = completion();
	if (wc.status != IBV_WC_SUCCESS && !(wc.wr_id < SLOTS && wc.status == IBV_WC_WR_FLUSH_ERR)) {
		printf("failed %s: %s\n", work_name(wc.wr_id), ibv_wc_status_str(wc.status));
		exit(1);
	}
	if (wc.wr_id < SLOTS && wc.status == IBV_WC_SUCCESS)
		pending[pending_count++] = (struct message){wc.wr_id, wc.byte_len};
	return wc.wr_id;
}

static int next_message(uint32_t *bytes)
{
	while (!pending_count)
		advance();
	struct message m = pending[0];
	memmove(pending, pending + 1, --pending_count * sizeof *pending);
	*bytes = m.bytes;
	return m.slot;
}

static uint8_t *slot_memory(int slot) { return (uint8_t *)inbox->addr + (size_t)slot * SLOT; }

/* post does work on the first bytes of the outbox; remote names the other side's memory, if the work is about it. */
static void post(uint64_t work, enum ibv_wr_opcode opcode, uint32_t size, int flags, const struct note *remote)
{
	struct ibv_sge sge = {(uintptr_t)outbox->addr, size, outbox->lkey};
	struct ibv_send_wr wr = {.wr_id = work, .sg_list = &sge, .num_sge = size ? 1 : 0, .opcode = opcode}, *bad;
	wr.send_flags = IBV_SEND_SIGNALED | flags;
	if (opcode == IBV_WR_SEND_WITH_INV) {
		wr.invalidate_rkey = remote->key;
	} else if (remote) {
		wr.wr.rdma.remote_addr = remote->address;
		wr.wr.rdma.rkey = remote->key;
	}
	if (ibv_post_send(id->qp, &wr, &bad))
		die("ibv_post_send");
	while (advance() != work)
		;
}

static void answer(uint32_t command, uint32_t status)
{
	struct note n = {htobe32(command), htobe32(status), htobe64((uintptr_t)window->addr), htobe32(window->rkey),
			 htobe32(WINDOW)};
	memcpy(outbox->addr, &n, sizeof n);
	post(WORK_SEND, IBV_WR_SEND, sizeof n, 0, NULL);
}

static uint32_t receive_data(uint32_t size, uint32_t seed)
{
	uint32_t bytes, status;
	int slot = next_message(&bytes);
	status = bytes == size ? compare(slot_memory(slot), size, seed) : bytes + 1;
	printf("received %u bytes, %s\n", bytes, status ? "wrong" : "right");
	post_receive(slot);
	return status;
}

/* obey does one command and returns the status to answer with. */
static uint32_t obey(const struct note *n)
{
	switch ((enum command)n->command) {
	case CMD_FILL:
		fill(window->addr, n->size, n->seed);
		return 0;
	case CMD_CHECK:
		return compare(window->addr, n->size, n->seed);
	case CMD_RECV:
		return receive_data(n->size, n->seed);
	case CMD_SEND:
	case CMD_SENDSE:
		fill(outbox->addr, n->size, n->seed);
		post(WORK_SEND, IBV_WR_SEND, n->size, n->command == CMD_SENDSE ? IBV_SEND_SOLICITED : 0, NULL);
		return 0;
	case CMD_SENDINV:
		fill(outbox->addr, n->size, n->seed);
		post(WORK_SEND, IBV_WR_SEND_WITH_INV, n->size, 0, n);
		return 0;
	case CMD_WRITE:
		fill(outbox->addr, n->size, n->seed);
		post(WORK_WRITE, IBV_WR_RDMA_WRITE, n->size, 0, n);
		return 0;
	case CMD_READ:
		memset(outbox->addr, 0xee, n->size);
		post(WORK_READ, IBV_WR_RDMA_READ, n->size, 0, n);
		return compare(outbox->addr, n->size, n->seed);
	case CMD_CLOSE:
		rdma_disconnect(id);
		return 0;
	case CMD_ABORT:
		_exit(0);
	case CMD_STARVE:
		starving = 1;
		return 0;
	case CMD_INFO:
		return 0;
	}
	printf("failed command %u: unknown\n", n->command);
	exit(2);
}

static struct note parse(const uint8_t *p)
{
	struct note n;
	memcpy(&n, p, sizeof n);
	struct note host = {be32toh(n.command), be32toh(n.size), be64toh(n.address), be32toh(n.key), be32toh(n.seed)};
	return host;
}

static void serve(void)
{
	for (;;) {
		uint32_t bytes;
		int slot = next_message(&bytes);
		if (starving)
			continue;
		struct note n = parse(slot_memory(slot));
		if (bytes != sizeof n || n.size > WINDOW) {
			printf("failed command: %u bytes, size %u\n", bytes, n.size);
			exit(2);
		}
		post_receive(slot);
		uint32_t status = obey(&n);
		if (n.command != CMD_CLOSE)
			answer(n.command, status);
	}
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(SECONDS);
	const char *mode = argc > 1 ? argv[1] : "";
	int connecting = !strcmp(mode, "connect");
	if (argc < 3 + connecting || (!connecting && strcmp(mode, "listen") && strcmp(mode, "reject"))) {
		fprintf(stderr, "usage: siwpeer listen|reject PORT [TEXT], siwpeer connect ADDRESS PORT [TEXT]\n");
		return 2;
	}
	const char *text = argc > 3 + connecting ? argv[3 + connecting] : "";
	if (!(events = rdma_create_event_channel()))
		die("rdma_create_event_channel");
	if (connecting) {
		connect_to(argv[2], atoi(argv[3]), text);
		answer(CMD_INFO, 0);
	} else {
		listen_on(atoi(argv[2]), text, !strcmp(mode, "reject"));
	}
	serve();
}
