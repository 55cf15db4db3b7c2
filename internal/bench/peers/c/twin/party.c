/*
 * party.c: overlap and progress. Rank 0 computes between its call and its wait, rank 1 makes the blocking call at the
 * other end. The twin of rank/party.go and of bench/overlap.go, where the procedure is explained.
 */
#include "twin.h"

#include <stdlib.h>

enum { TAG_ORDER = 10, TAG_MESSAGE, TAG_ANSWER, TAG_READY, TAG_GO };

static const double head_start = 200; /* us */
static const double least_time = 0.01;
static const struct test *test;
static int is_progress;

void party_setup(const struct test *t, const struct step *steps, int n)
{
    (void)steps;
    (void)n;
    test = t;
    is_progress = t->measure == progress;
    calibrate();
}

/* timed_by_peer: progress is always timed where the message arrives. */
static int timed_by_peer(void) { return is_progress && test->computes == SENDER; }

static void set_last(int size, int sends)
{
    if (size > 0)
        out[size - 1] = (char)sends;
}

/* meet brings the two ranks together so that the first cannot be overtaken. */
static void meet(int first)
{
    char note = 0;
    if (first) {
        MPI_Recv(&note, 1, MPI_BYTE, 1 - rank, TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&note, 1, MPI_BYTE, 1 - rank, TAG_GO, MPI_COMM_WORLD);
    } else {
        MPI_Send(&note, 1, MPI_BYTE, 1 - rank, TAG_READY, MPI_COMM_WORLD);
        MPI_Recv(&note, 1, MPI_BYTE, 1 - rank, TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void start_call(int size, MPI_Request *request)
{
    if (test->computes == RECEIVER)
        MPI_Irecv(out, size, MPI_BYTE, 1, TAG_MESSAGE, MPI_COMM_WORLD, request);
    else if (!is_progress)
        MPI_Issend(out, size, MPI_BYTE, 1, TAG_MESSAGE, MPI_COMM_WORLD, request);
    else
        MPI_Isend(out, size, MPI_BYTE, 1, TAG_MESSAGE, MPI_COMM_WORLD, request);
}

/* watch computes and looks at the end of the buffer once a microsecond. */
static double watch(int size, double microseconds)
{
    double seen = 0;
    for (; microseconds > 0; microseconds--) {
        compute(microseconds < 1 ? microseconds : 1);
        if (seen == 0 && size > 0 && ((volatile char *)out)[size - 1] != 0)
            seen = MPI_Wtime();
    }
    return seen;
}

static double message(int size, double microseconds)
{
    MPI_Request request;
    double start, seen = 0, answer;
    set_last(size, test->computes == SENDER);
    meet(test->first == test->computes);
    if (test->first == test->computes) {
        start_call(size, &request);
        compute(head_start);
        start = MPI_Wtime();
    } else {
        compute(head_start);
        start = MPI_Wtime();
        start_call(size, &request);
    }
    if (is_progress && test->computes == RECEIVER)
        seen = watch(size, microseconds);
    else
        compute(microseconds);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (seen == 0)
        seen = MPI_Wtime();
    if (!timed_by_peer())
        return (seen - start) * 1e6;
    MPI_Recv(&answer, 1, MPI_DOUBLE, 1, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return answer;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_size);
    return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct times {
    double alone, compute, total;
};

/* transfer moves n messages undisturbed and n with that much computation, by turns, and computes alone, too. */
static struct times transfer(int size, int n, double microseconds)
{
    struct times t = {0};
    if (n == 0)
        return t;
    double *measured = calloc((size_t)n * 3, sizeof *measured);
    if (measured == NULL)
        fail("out of memory");
    int order = 2 * n;
    MPI_Send(&order, 1, MPI_INT, 1, TAG_ORDER, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        measured[i] = message(size, 0);
        double start = MPI_Wtime();
        compute(microseconds);
        measured[n + i] = (MPI_Wtime() - start) * 1e6;
        measured[2 * n + i] = message(size, microseconds);
    }
    t.alone = median(measured, n);
    t.compute = median(measured + n, n);
    t.total = median(measured + 2 * n, n);
    free(measured);
    return t;
}

static void counterpart(int size)
{
    set_last(size, test->computes == RECEIVER);
    meet(test->first != test->computes);
    double start = MPI_Wtime();
    if (test->first == test->computes)
        compute(head_start);
    if (test->computes == SENDER)
        MPI_Recv(out, size, MPI_BYTE, 0, TAG_MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!is_progress)
        MPI_Ssend(out, size, MPI_BYTE, 0, TAG_MESSAGE, MPI_COMM_WORLD);
    else
        MPI_Send(out, size, MPI_BYTE, 0, TAG_MESSAGE, MPI_COMM_WORLD);
    if (timed_by_peer()) {
        double spent = (MPI_Wtime() - start) * 1e6 - head_start;
        spent = spent > least_time ? spent : least_time;
        MPI_Send(&spent, 1, MPI_DOUBLE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    }
}

static void follow(int size)
{
    for (;;) {
        int order;
        MPI_Recv(&order, 1, MPI_INT, 0, TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (order == 0)
            return;
        for (int i = 0; i < order; i++)
            counterpart(size);
    }
}

static void dismiss(void)
{
    int order = 0;
    MPI_Send(&order, 1, MPI_INT, 1, TAG_ORDER, MPI_COMM_WORLD);
}

static double between(double low, double v, double high) { return v < low ? low : v > high ? high : v; }

struct row overlap(const struct test *t, struct step s)
{
    struct row r = {0};
    double part = 0;
    (void)t;
    if (rank != 0) {
        follow(s.size);
        return r;
    }
    transfer(s.size, s.warmup, 0);
    r.base = transfer(s.size, s.iterations, 0).alone;
    for (double c = 0.05 * r.base; c <= 1.5 * r.base; c *= 1.1) {
        struct times m = {0};
        int fits = 0;
        for (int tries = 0; tries < 5 && !fits; tries++) {
            m = transfer(s.size, s.iterations, c);
            fits = m.total < 1.1 * m.alone;
        }
        if (!fits)
            break;
        part = (m.compute - (m.total - m.alone)) / m.alone;
    }
    dismiss();
    r.value = 100 * between(0, part, 1);
    return r;
}

struct row progress(const struct test *t, struct step s)
{
    struct row r = {0};
    (void)t;
    if (rank != 0) {
        follow(s.size);
        return r;
    }
    double alone = transfer(s.size, s.warmup + s.iterations, 0).alone;
    struct times m = transfer(s.size, s.iterations, alone * s.share / 100);
    dismiss();
    r.base = m.alone;
    r.value = m.alone > 0 && m.total > m.compute ? 100 * (m.total - m.compute) / m.alone : 0;
    return r;
}
