/*
 * cycle.c: tests in which every rank goes through the same steps: exchange, crossing, and everyone with everyone. The
 * twin of rank/cycle.go and rank/crowd.go.
 */
#include "twin.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_NEIGHBOUR = 20, TAG_CROWD = 30, MOST = 2 };

static int model, neighbours, to[MOST], from[MOST];
static char *data, *neighbour_out[MOST], *neighbour_in[MOST];
static MPI_Request sent[MOST], got[MOST];

void cycle_setup(const struct test *t, const struct step *steps, int n)
{
    model = t->model;
    neighbours = t->neighbours > 0 ? t->neighbours : 1;
    to[0] = from[0] = rank ^ 1;
    if (neighbours == 2) {
        to[0] = from[1] = (rank + 1) % ranks;
        to[1] = from[0] = (rank + ranks - 1) % ranks;
    }
    data = page_aligned((size_t)largest(steps, n));
    for (int k = 0; k < neighbours; k++) {
        neighbour_out[k] = page_aligned((size_t)largest(steps, n));
        neighbour_in[k] = page_aligned((size_t)largest(steps, n));
    }
    calibrate();
}

static void receive_all(int size)
{
    for (int k = 0; k < neighbours; k++)
        MPI_Irecv(neighbour_in[k], size, MPI_BYTE, from[k], TAG_NEIGHBOUR + k, MPI_COMM_WORLD, &got[k]);
}

/* send_all packs the data for each neighbour and starts to send it. */
static void send_all(int size)
{
    for (int k = 0; k < neighbours; k++) {
        memcpy(neighbour_out[k], data, (size_t)size);
        MPI_Isend(neighbour_out[k], size, MPI_BYTE, to[k], TAG_NEIGHBOUR + k, MPI_COMM_WORLD, &sent[k]);
    }
}

static void wait_all(void)
{
    MPI_Waitall(neighbours, sent, MPI_STATUSES_IGNORE);
    MPI_Waitall(neighbours, got, MPI_STATUSES_IGNORE);
}

double exchange(struct step s, int iterations)
{
    double half = s.work / 2e3;
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (model == 1) {
            receive_all(s.size);
            send_all(s.size);
        } else {
            send_all(s.size);
            if (i > 0)
                compute(half);
            receive_all(s.size);
        }
        compute(half); /* produces what the next iteration sends */
        wait_all();
        if (model == 1 || i == iterations - 1)
            compute(half);
    }
    return MPI_Wtime() - start;
}

double crossing(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        MPI_Irecv(neighbour_in[0], s.size, MPI_BYTE, from[0], TAG_NEIGHBOUR, MPI_COMM_WORLD, &got[0]);
        MPI_Isend(neighbour_out[0], s.size, MPI_BYTE, to[0], TAG_NEIGHBOUR, MPI_COMM_WORLD, &sent[0]);
        wait_all();
    }
    return MPI_Wtime() - start;
}

struct row resident(const struct test *t, struct step s)
{
    struct row r = {0};
    (void)t;
    for (int i = 0; i < s.iterations; i++)
        for (int shift = 1; shift < ranks; shift++)
            MPI_Sendrecv(out, s.size, MPI_BYTE, (rank + shift) % ranks, TAG_CROWD, in, s.size, MPI_BYTE,
                         (rank + ranks - shift) % ranks, TAG_CROWD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double mine = resident_megabytes() - resident_before;
    mine = mine > 0 ? mine : 0;
    double *all = calloc((size_t)ranks, sizeof *all);
    if (all == NULL)
        fail("out of memory");
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    r.low = r.high = all[0];
    for (int i = 0; i < ranks; i++) {
        r.value += all[i] / ranks;
        r.low = all[i] < r.low ? all[i] : r.low;
        r.high = all[i] > r.high ? all[i] : r.high;
    }
    free(all);
    return r;
}
