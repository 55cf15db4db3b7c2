/*
 * cycle.c: tests in which every rank goes through the same steps: exchange, crossing, everyone with everyone, and all but
 * one that wait. The twin of rank/cycle.go, rank/crowd.go and rank/idle.go.
 */
#include "twin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TAG_NEIGHBOUR = 20, TAG_CROWD = 30, TAG_IDLE, MOST = 2 };

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

/* gathered collects a number of each of the first ranks, and returns their mean, least and most. */
static struct row gathered(double mine, int first)
{
    struct row r = {0};
    double *all = calloc((size_t)ranks, sizeof *all);
    if (all == NULL)
        fail("out of memory");
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    r.low = r.high = all[0];
    for (int i = 0; i < first; i++) {
        r.value += all[i] / first;
        r.low = all[i] < r.low ? all[i] : r.low;
        r.high = all[i] > r.high ? all[i] : r.high;
    }
    free(all);
    return r;
}

struct row resident(const struct test *t, struct step s)
{
    (void)t;
    for (int i = 0; i < s.iterations; i++)
        for (int shift = 1; shift < ranks; shift++)
            MPI_Sendrecv(out, s.size, MPI_BYTE, (rank + shift) % ranks, TAG_CROWD, in, s.size, MPI_BYTE,
                         (rank + ranks - shift) % ranks, TAG_CROWD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double mine = resident_megabytes() - resident_before;
    return gathered(mine > 0 ? mine : 0, ranks);
}

/* spent is hundredths of a second of processors, or how often this process has slept. */
static double spent(int wakes)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    if (wakes)
        return (double)used.ru_nvcsw;
    return 100 * ((double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
}

struct row idle(const struct test *t, struct step s)
{
    double mine = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == ranks - 1) {
        sleep((unsigned)s.iterations);
        for (int i = 0; i < ranks - 1; i++)
            MPI_Send(out, s.size, MPI_BYTE, i, TAG_IDLE, MPI_COMM_WORLD);
    } else {
        double start = MPI_Wtime(), before = spent(t->model);
        MPI_Recv(in, s.size, MPI_BYTE, ranks - 1, TAG_IDLE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mine = (spent(t->model) - before) / (MPI_Wtime() - start);
    }
    return gathered(mine, ranks - 1);
}
