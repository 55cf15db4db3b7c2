/*
 * modes.c: ping-pongs whose messages are sent or received in another way. The twin of rank/modes.go.
 */
#include "twin.h"

#include <stdlib.h>

#define WORLD MPI_COMM_WORLD

static int in_tag(void) { return leads() ? TAG_PONG : TAG_PING; }
static int out_tag(void) { return leads() ? TAG_PING : TAG_PONG; }

static void await(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }

/* ---- one half of a message ---- */

#define BLOCKING(NAME, CALL) \
    static void NAME(int size) { CALL(out, size, MPI_BYTE, peer(), out_tag(), WORLD); }
#define STARTED(NAME, CALL)                                           \
    static void NAME(int size)                                        \
    {                                                                 \
        MPI_Request r;                                                \
        CALL(out, size, MPI_BYTE, peer(), out_tag(), WORLD, &r);      \
        await(&r);                                                    \
    }

BLOCKING(do_send, MPI_Send)
BLOCKING(do_ssend, MPI_Ssend)
BLOCKING(do_bsend, MPI_Bsend)
BLOCKING(do_rsend, MPI_Rsend)
STARTED(do_isend, MPI_Isend)
STARTED(do_issend, MPI_Issend)
STARTED(do_ibsend, MPI_Ibsend)
STARTED(do_irsend, MPI_Irsend)

static void do_recv(int size) { MPI_Recv(in, size, MPI_BYTE, peer(), in_tag(), WORLD, MPI_STATUS_IGNORE); }

static void do_irecv(int size)
{
    MPI_Request r;
    MPI_Irecv(in, size, MPI_BYTE, peer(), in_tag(), WORLD, &r);
    await(&r);
}

static void do_probe(int size)
{
    MPI_Probe(peer(), in_tag(), WORLD, MPI_STATUS_IGNORE);
    do_recv(size);
}

static void do_mprobe(int size)
{
    MPI_Message m;
    MPI_Mprobe(peer(), in_tag(), WORLD, &m, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, size, MPI_BYTE, &m, MPI_STATUS_IGNORE);
}

/* ---- the loops ---- */

static const struct test *how;

static void setup(const struct test *t, const struct step *steps, int n)
{
    static char *copies;
    static int bytes;
    how = t;
    int need = 4 * (largest(steps, n) + MPI_BSEND_OVERHEAD);
    if ((t->send != do_bsend && t->send != do_ibsend) || need <= bytes)
        return;
    if (copies != NULL)
        MPI_Buffer_detach(&copies, &bytes);
    free(copies);
    copies = page_aligned((size_t)need);
    MPI_Buffer_attach(copies, bytes = need);
}

static double by(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (leads())
            how->send(s.size);
        how->receive(s.size);
        if (!leads())
            how->send(s.size);
    }
    return MPI_Wtime() - start;
}

/* by_ready posts every receive before its message can be sent. */
static double by_ready(struct step s, int iterations)
{
    MPI_Request next;
    if (iterations == 0)
        return 0;
    MPI_Irecv(in, s.size, MPI_BYTE, peer(), in_tag(), WORLD, &next);
    MPI_Barrier(WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (leads())
            how->send(s.size);
        await(&next);
        if (i < iterations - 1)
            MPI_Irecv(in, s.size, MPI_BYTE, peer(), in_tag(), WORLD, &next);
        if (!leads())
            how->send(s.size);
    }
    return MPI_Wtime() - start;
}

static double persistent(struct step s, int iterations)
{
    MPI_Request both[2];
    int sends = leads() ? 0 : 1;
    MPI_Send_init(out, s.size, MPI_BYTE, peer(), out_tag(), WORLD, &both[sends]);
    MPI_Recv_init(in, s.size, MPI_BYTE, peer(), in_tag(), WORLD, &both[1 - sends]);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        for (int k = 0; k < 2; k++) {
            MPI_Start(&both[k]);
            await(&both[k]);
        }
    double spent = MPI_Wtime() - start;
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    return spent;
}

#define MODE(NAME, BATCH, SEND, RECEIVE) \
    {.name = NAME, .kind = PING_PONG, .batch = BATCH, .setup = setup, .send = SEND, .receive = RECEIVE}

const struct test mode_tests[] = {
    MODE("isend", by, do_isend, do_irecv),
    MODE("ssend", by, do_ssend, do_recv),
    MODE("bsend", by, do_bsend, do_recv),
    MODE("rsend", by_ready, do_rsend, NULL),
    MODE("issend", by, do_issend, do_irecv),
    MODE("ibsend", by, do_ibsend, do_irecv),
    MODE("irsend", by_ready, do_irsend, NULL),
    MODE("persistent", persistent, NULL, NULL),
    MODE("probe", by, do_send, do_probe),
    MODE("mprobe", by, do_send, do_mprobe),
};
const int mode_count = sizeof mode_tests / sizeof mode_tests[0];
