/*
 * yield.c: lets an MPICH that polls without pause share its cores (preloaded into its ranks, nothing else).
 *
 * MPICH over UCX as distributions build it never gives up the processor while it waits: with more ranks than
 * cores each wait lasts until the kernel's time slice ends, thousands of times too long, and the comparison would
 * say nothing. Every turn of its progress loop calls ucp_worker_progress; when that found nothing, we yield.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned (*progress_function)(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static progress_function next;
    if (next == 0)
        next = (progress_function)dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = next(worker);
    if (events == 0)
        sched_yield();
    return events;
}
