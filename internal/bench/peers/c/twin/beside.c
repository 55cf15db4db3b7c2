/*
 * beside.c: short messages while long ones flow from rank 0 to rank 1. The twin of rank/beside.go, where the procedure
 * is explained.
 */
#include "twin.h"

#include <stdlib.h>

enum { TAG_LONG = 40, TAG_BEGUN, LONG_AT_ONCE = 2, BESIDE_BYTES = 4 << 20 };

static char *messages[LONG_AT_ONCE];
static MPI_Request flow[LONG_AT_ONCE];
static long long begun;

static int long_bytes(struct step s) { return BESIDE_BYTES / 100 * s.share; }

void beside_setup(const struct test *t, const struct step *steps, int n)
{
    (void)t;
    int bytes = 0;
    for (int i = 0; i < n; i++)
        bytes = long_bytes(steps[i]) > bytes ? long_bytes(steps[i]) : bytes;
    for (int i = 0; i < LONG_AT_ONCE; i++)
        messages[i] = page_aligned((size_t)bytes);
}

static void begin(struct step s, int i)
{
    begun++;
    if (rank == 0)
        MPI_Isend(messages[i], long_bytes(s), MPI_BYTE, 1, TAG_LONG, MPI_COMM_WORLD, &flow[i]);
    else
        MPI_Irecv(messages[i], long_bytes(s), MPI_BYTE, 0, TAG_LONG, MPI_COMM_WORLD, &flow[i]);
}

static double busy_ping_pong(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int k = 0; k < iterations; k++) {
        bounce(out, in, s.size);
        for (int i = 0; i < LONG_AT_ONCE && long_bytes(s) > 0; i++) {
            int done = 0;
            MPI_Test(&flow[i], &done, MPI_STATUS_IGNORE);
            if (done)
                begin(s, i);
        }
    }
    return MPI_Wtime() - start;
}

/* drain ends the flow: who has begun fewer messages than the other begins the rest. */
static void drain(struct step s)
{
    long long theirs = 0;
    MPI_Sendrecv(&begun, 1, MPI_LONG_LONG, 1 - rank, TAG_BEGUN, &theirs, 1, MPI_LONG_LONG, 1 - rank, TAG_BEGUN,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; begun < theirs; i = (i + 1) % LONG_AT_ONCE) {
        MPI_Wait(&flow[i], MPI_STATUS_IGNORE);
        begin(s, i);
    }
    MPI_Waitall(LONG_AT_ONCE, flow, MPI_STATUSES_IGNORE);
}

struct row beside(const struct test *t, struct step s)
{
    (void)t;
    struct row r = {0};
    double *batches = calloc((size_t)s.batches, sizeof *batches);
    if (batches == NULL)
        fail("out of memory");
    MPI_Barrier(MPI_COMM_WORLD);
    begun = 0;
    for (int i = 0; i < LONG_AT_ONCE && long_bytes(s) > 0; i++)
        begin(s, i);
    busy_ping_pong(s, s.warmup);
    for (int b = 0; b < s.batches; b++)
        batches[b] = busy_ping_pong(s, s.iterations) * 1e6 / (2.0 * s.iterations);
    r.value = median(batches, s.batches);
    free(batches);
    if (long_bytes(s) > 0)
        drain(s);
    return r;
}
