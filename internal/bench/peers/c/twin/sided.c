/*
 * sided.c: one-sided operations of the lower half of the ranks on the parts of the upper half. The twin of rank/window.go.
 */
#include "twin.h"

#include <stdlib.h>

static const struct test *what;
static MPI_Win win;
static MPI_Group other; /* of the one rank at the other end */
static long one = 1, old;
static int unset, was; /* of 32 bits: of 64, Open MPI 4.1.4 over shared memory crashes in MPI_Compare_and_swap */
static void *created;

static void setup(const struct test *t, const struct step *steps, int n)
{
    void *mem;
    MPI_Group all;
    MPI_Aint bytes = largest(steps, n);
    int partner = (rank + ranks / 2) % ranks;
    what = t;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &partner, &other);
    MPI_Group_free(&all);
    if (t->created) {
        created = page_aligned((size_t)bytes);
        MPI_Win_create(created, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    } else {
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    }
}

static void operate_requested(int size, int target)
{
    MPI_Request r;
    if (what->verb == PUT)
        MPI_Rput(out, size, MPI_BYTE, target, 0, size, MPI_BYTE, win, &r);
    else
        MPI_Rget(in, size, MPI_BYTE, target, 0, size, MPI_BYTE, win, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void operate(int size)
{
    int target = rank + ranks / 2, n = size / 4;
    if (what->requested)
        operate_requested(size, target);
    else if (what->verb == PUT)
        MPI_Put(out, size, MPI_BYTE, target, 0, size, MPI_BYTE, win);
    else if (what->verb == GET)
        MPI_Get(in, size, MPI_BYTE, target, 0, size, MPI_BYTE, win);
    else if (what->verb == ADD)
        MPI_Accumulate(out, n, MPI_FLOAT, target, 0, n, MPI_FLOAT, MPI_SUM, win);
    else if (what->verb == GET_ADD)
        MPI_Get_accumulate(out, n, MPI_FLOAT, in, n, MPI_FLOAT, target, 0, n, MPI_FLOAT, MPI_SUM, win);
    else if (what->verb == SWAP)
        MPI_Compare_and_swap(&unset, &unset, &was, MPI_INT, target, 0, win);
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

static double between_posts(struct step s, int iterations)
{
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (rank < ranks / 2) {
            MPI_Win_start(other, 0, win);
            operate(s.size);
            MPI_Win_complete(win);
        } else {
            MPI_Win_post(other, 0, win);
            MPI_Win_wait(win);
        }
    }
    return MPI_Wtime() - start;
}

static double between_locks(struct step s, int iterations)
{
    int target = rank + ranks / 2;
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
        operate(s.size);
        MPI_Win_unlock(target, win);
    }
    return MPI_Wtime() - start;
}

static double sided(struct step s, int iterations)
{
    if (what->epoch == FENCED)
        return between_fences(s, iterations);
    if (what->epoch == POSTED)
        return between_posts(s, iterations);
    if (rank >= ranks / 2)
        return 0;
    if (what->epoch == LOCKED)
        return between_locks(s, iterations);
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

void sided_end(void)
{
    MPI_Win_free(&win);
    MPI_Group_free(&other);
    free(created);
    created = NULL;
}

#define SIDED_TEST(NAME, VERB, ...) {.name = NAME, .kind = SIDED, .batch = sided, .setup = setup, .verb = VERB, __VA_ARGS__}

const struct test sided_tests[] = {
    SIDED_TEST("put", PUT),
    SIDED_TEST("get", GET),
    SIDED_TEST("put_fence", PUT, .epoch = FENCED),
    SIDED_TEST("get_fence", GET, .epoch = FENCED),
    SIDED_TEST("put_created", PUT, .created = 1),
    SIDED_TEST("get_created", GET, .created = 1),
    SIDED_TEST("fetch_op", FETCH),
    SIDED_TEST("put_post", PUT, .epoch = POSTED),
    SIDED_TEST("get_post", GET, .epoch = POSTED),
    SIDED_TEST("put_lock", PUT, .epoch = LOCKED),
    SIDED_TEST("get_lock", GET, .epoch = LOCKED),
    SIDED_TEST("rput", PUT, .requested = 1),
    SIDED_TEST("rget", GET, .requested = 1),
    SIDED_TEST("accumulate", ADD),
    SIDED_TEST("get_accumulate", GET_ADD),
    SIDED_TEST("compare_swap", SWAP),
};
const int sided_count = sizeof sided_tests / sizeof sided_tests[0];
