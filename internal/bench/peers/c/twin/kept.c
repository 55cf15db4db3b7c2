/*
 * kept.c: what is made once and started again and again, as MPI has it since version 4. The twin of what rank/modes.go
 * and rank/operations.go have of it. For older libraries it is empty.
 */
#include "twin.h"

#define WORLD MPI_COMM_WORLD

#if MPI_VERSION >= 4

enum { PARTS = 8 };

static void await(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }

static void send_parts(MPI_Request *r)
{
    MPI_Start(r);
    for (int i = 0; i < PARTS; i++)
        MPI_Pready(i, *r);
    await(r);
}

/* partitioned sends and receives one message in parts there and back; parts get ready one by one. */
static double partitioned(struct step s, int iterations)
{
    MPI_Request to, from;
    int ping = leads() ? TAG_PING : TAG_PONG, pong = leads() ? TAG_PONG : TAG_PING;
    MPI_Psend_init(out, PARTS, s.size / PARTS, MPI_BYTE, peer(), ping, WORLD, MPI_INFO_NULL, &to);
    MPI_Precv_init(in, PARTS, s.size / PARTS, MPI_BYTE, peer(), pong, WORLD, MPI_INFO_NULL, &from);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        MPI_Start(&from);
        if (leads())
            send_parts(&to);
        await(&from);
        if (!leads())
            send_parts(&to);
    }
    double spent = MPI_Wtime() - start;
    MPI_Request_free(&to);
    MPI_Request_free(&from);
    return spent;
}

/* ---- collectives: each is timed alone, with a barrier between them ---- */

static const struct test *how;

static void setup(const struct test *t, const struct step *steps, int n)
{
    (void)steps, (void)n;
    how = t;
}

static MPI_Request made;

static void bcast(int size) { MPI_Bcast_init(out, size, MPI_BYTE, 0, WORLD, MPI_INFO_NULL, &made); }
static void allreduce(int size) { MPI_Allreduce_init(out, in, size / 4, MPI_FLOAT, MPI_SUM, WORLD, MPI_INFO_NULL, &made); }
static void alltoall(int size) { MPI_Alltoall_init(out, size, MPI_BYTE, in, size, MPI_BYTE, WORLD, MPI_INFO_NULL, &made); }

static double collective(struct step s, int iterations)
{
    double spent = 0;
    how->call(s.size);
    for (int i = 0; i < iterations; i++) {
        double start = MPI_Wtime();
        MPI_Start(&made);
        await(&made);
        spent += MPI_Wtime() - start;
        MPI_Barrier(WORLD);
    }
    MPI_Request_free(&made);
    return spent;
}

#define KEPT(NAME, BLOCKS) {.name = #NAME "_init", .kind = CALLS, .batch = collective, .setup = setup, .call = NAME, .spread = BLOCKS}

const struct test kept_tests[] = {
    {.name = "partitioned", .kind = PING_PONG, .batch = partitioned},
    KEPT(bcast, 0), KEPT(allreduce, 0), KEPT(alltoall, 1),
};
const int kept_count = sizeof kept_tests / sizeof kept_tests[0];

#else

const struct test kept_tests[1];
const int kept_count = 0;

#endif
