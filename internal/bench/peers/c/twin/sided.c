/*
 * sided.c: one-sided operations of the lower half of the ranks on the parts of the upper half. The twin of rank/window.go.
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
    int target = rank + ranks / 2;
    if (what->verb == PUT)
        MPI_Put(out, size, MPI_BYTE, target, 0, size, MPI_BYTE, win);
    else if (what->verb == GET)
        MPI_Get(in, size, MPI_BYTE, target, 0, size, MPI_BYTE, win);
    else
        MPI_Fetch_and_op(&one, &old, MPI_LONG, target, 0, MPI_SUM, win);
}

static double between_fences(struct step s, int iterations)
{
    MPI_Win_fence(0, win);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (rank < ranks / 2)
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
    if (rank >= ranks / 2)
        return 0;
    int target = rank + ranks / 2;
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        operate(s.size);
        MPI_Win_flush(target, win);
    }
    double spent = MPI_Wtime() - start;
    MPI_Win_unlock(target, win);
    return spent;
}

void sided_end(void) { MPI_Win_free(&win); }
