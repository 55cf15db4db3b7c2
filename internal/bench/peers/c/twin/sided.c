/*
 * sided.c: one-sided operations of rank 0 on rank 1's part of a window. The twin of rank/window.go.
 */
#include "twin.h"

static const struct test *what;
static MPI_Win win;
static long one = 1, old;

void sided_setup(const struct test *t, const struct step *steps, int n)
{
    void *mem;
    MPI_Aint bytes = largest(steps, n);
    what = t;
    if (t->created) {
        mem = page_aligned((size_t)bytes);
        MPI_Win_create(mem, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    } else {
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    }
}

static void operate(int size)
{
    if (what->verb == PUT)
        MPI_Put(out, size, MPI_BYTE, 1, 0, size, MPI_BYTE, win);
    else if (what->verb == GET)
        MPI_Get(in, size, MPI_BYTE, 1, 0, size, MPI_BYTE, win);
    else
        MPI_Fetch_and_op(&one, &old, MPI_LONG, 1, 0, MPI_SUM, win);
}

static double between_fences(struct step s, int iterations)
{
    MPI_Win_fence(0, win);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (rank == 0)
            operate(s.size);
        MPI_Win_fence(0, win);
    }
    double spent = MPI_Wtime() - start;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return spent;
}

double sided(struct step s, int iterations)
{
    if (what->fenced)
        return between_fences(s, iterations);
    if (rank != 0)
        return 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        operate(s.size);
        MPI_Win_flush(1, win);
    }
    double spent = MPI_Wtime() - start;
    MPI_Win_unlock(1, win);
    return spent;
}

void sided_end(void) { MPI_Win_free(&win); }
