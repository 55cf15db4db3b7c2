// A libibverbs of one device, loop0, whose sends are done when they are posted: for tests of what is above the library, and of
// what that costs.
#define _GNU_SOURCE
#include <infiniband/verbs.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#undef ibv_query_port
#undef ibv_reg_mr

enum { DEEP = 1 << 12 };

struct queue {
	struct ibv_cq cq;
	struct { uint64_t id; uint32_t qp; } done[DEEP];
	unsigned first, next;
};

static struct ibv_device device = { .name = "loop0", .node_type = IBV_NODE_CA };
static uint32_t numbers = 16;

struct ibv_device **ibv_get_device_list(int *n)
{
	struct ibv_device **list = calloc(2, sizeof *list);
	list[0] = &device;
	*n = 1;
	return list;
}
void ibv_free_device_list(struct ibv_device **list) { free(list); }
const char *ibv_get_device_name(struct ibv_device *d) { return d->name; }

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct queue *q = (struct queue *)qp->send_cq;
	if (q->next - q->first == DEEP) {
		*bad = wr;
		return ENOMEM;
	}
	if (wr->send_flags & IBV_SEND_SIGNALED) {
		q->done[q->next % DEEP].id = wr->wr_id;
		q->done[q->next++ % DEEP].qp = qp->qp_num;
	}
	return 0;
}
static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) { return 0; }
static int post_srq(struct ibv_srq *s, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) { return 0; }
static int arm(struct ibv_cq *cq, int solicited) { return 0; }
static int poll(struct ibv_cq *cq, int most, struct ibv_wc *wc)
{
	struct queue *q = (struct queue *)cq;
	int n = 0;
	for (; n < most && q->first != q->next; n++, q->first++) {
		memset(&wc[n], 0, sizeof wc[n]);
		wc[n].wr_id = q->done[q->first % DEEP].id;
		wc[n].qp_num = q->done[q->first % DEEP].qp;
	}
	return n;
}

struct ibv_context *ibv_open_device(struct ibv_device *d)
{
	struct ibv_context *c = calloc(1, sizeof *c);
	c->device = d;
	c->ops.post_send = post_send;
	c->ops.post_recv = post_recv;
	c->ops.post_srq_recv = post_srq;
	c->ops.poll_cq = poll;
	c->ops.req_notify_cq = arm;
	c->cmd_fd = -1;
	c->async_fd = eventfd(0, EFD_CLOEXEC);
	return c;
}
int ibv_close_device(struct ibv_context *c) { free(c); return 0; }
int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *a)
{
	memset(a, 0, sizeof *a);
	a->max_qp_wr = a->max_cqe = DEEP;
	a->max_sge = a->max_sge_rd = a->max_srq_sge = 8;
	a->max_qp_rd_atom = a->max_qp_init_rd_atom = 16;
	a->max_srq = a->max_srq_wr = DEEP;
	return 0;
}
int ibv_query_port(struct ibv_context *c, uint8_t port, struct _compat_ibv_port_attr *to)
{
	struct ibv_port_attr *a = (struct ibv_port_attr *)to;
	a->state = IBV_PORT_ACTIVE;
	a->max_mtu = a->active_mtu = IBV_MTU_4096;
	a->max_msg_sz = 1 << 30;
	return 0;
}
struct ibv_pd *ibv_alloc_pd(struct ibv_context *c)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);
	pd->context = c;
	return pd;
}
int ibv_dealloc_pd(struct ibv_pd *pd) { free(pd); return 0; }
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *at, size_t n, int access)
{
	struct ibv_mr *mr = calloc(1, sizeof *mr);
	mr->lkey = mr->rkey = ++numbers;
	return mr;
}
int ibv_dereg_mr(struct ibv_mr *mr) { free(mr); return 0; }
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *c)
{
	struct ibv_comp_channel *channel = calloc(1, sizeof *channel);
	channel->fd = eventfd(0, EFD_CLOEXEC);
	return channel;
}
int ibv_destroy_comp_channel(struct ibv_comp_channel *c) { free(c); return 0; }
struct ibv_cq *ibv_create_cq(struct ibv_context *c, int deep, void *what, struct ibv_comp_channel *channel, int vector)
{
	struct queue *q = calloc(1, sizeof *q);
	q->cq.context = c;
	return &q->cq;
}
int ibv_destroy_cq(struct ibv_cq *cq) { free(cq); return 0; }
int ibv_get_cq_event(struct ibv_comp_channel *c, struct ibv_cq **cq, void **what) { errno = EAGAIN; return -1; }
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned n) {}
int ibv_get_async_event(struct ibv_context *c, struct ibv_async_event *e) { errno = EAGAIN; return -1; }
void ibv_ack_async_event(struct ibv_async_event *e) {}
struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *a)
{
	struct ibv_srq *s = calloc(1, sizeof *s);
	s->context = pd->context;
	return s;
}
int ibv_modify_srq(struct ibv_srq *s, struct ibv_srq_attr *a, int mask) { return 0; }
int ibv_destroy_srq(struct ibv_srq *s) { free(s); return 0; }
struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *a)
{
	struct ibv_qp *qp = calloc(1, sizeof *qp);
	if (a->cap.max_inline_data > 256) {
		free(qp);
		errno = EINVAL;
		return NULL;
	}
	qp->context = pd->context;
	qp->qp_num = ++numbers;
	qp->send_cq = a->send_cq;
	qp->recv_cq = a->recv_cq;
	return qp;
}
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *a, int mask) { return 0; }
int ibv_destroy_qp(struct ibv_qp *qp) { free(qp); return 0; }
struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *a) { return calloc(1, sizeof(struct ibv_ah)); }
int ibv_destroy_ah(struct ibv_ah *ah) { free(ah); return 0; }
