#define _GNU_SOURCE
#include "door.h"
#include "guests.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern int weftCall(int fn, void *args);
extern void weftAtExit(void);

/* A child of fork has none of Go's threads: it must not enter Go. */
static volatile int forked;

static void in_child(void) {
  forked = 1;
  weft_guests_end();
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(0, 0, in_child); }

static int refuse(int fn, uintptr_t *a) {
  static const char text[] = "weft: MPI was called in a child of fork; only a program that exec starts may use it\n";
  if (fn == WEFT_FN_INITIALIZED || fn == WEFT_FN_FINALIZED) {
    if (a[0]) *(int *)a[0] = fn == WEFT_FN_FINALIZED;
    return MPI_SUCCESS;
  }
  if (write(2, text, sizeof text - 1) < 0) return MPI_ERR_INTERN;
  return MPI_ERR_OTHER;
}

int weft_enter(int fn, uintptr_t *a) {
  if (__builtin_expect(forked, 0)) return refuse(fn, a);
  return weftCall(fn, a);
}

double weft_wtime(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double weft_wtick(void) {
  struct timespec t;
  clock_getres(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

extern char **environ;
char **weft_environ(void) { return environ; }

void weft_flush(void) { fflush(0); }

static void at_exit(void) {
  if (!forked) weftAtExit();
}

void weft_at_exit(void) { atexit(at_exit); }

void weft_reduce(uintptr_t fn, void *in, void *inout, int64_t n, uintptr_t type, int large) {
  MPI_Datatype t = (MPI_Datatype)type;
  if (large) {
    MPI_Count count = n;
    ((MPI_User_function_c *)fn)(in, inout, &count, &t);
  } else {
    int count = (int)n;
    ((MPI_User_function *)fn)(in, inout, &count, &t);
  }
}

void weft_handle(uintptr_t fn, uintptr_t handle, int code) {
  MPI_Comm object = (MPI_Comm)handle; /* handles of all kinds are pointers */
  ((MPI_Comm_errhandler_function *)fn)(&object, &code);
}

int weft_copy(uintptr_t fn, uintptr_t handle, int keyval, uintptr_t extra, uintptr_t value, uintptr_t *copied, int *flag) {
  return ((MPI_Comm_copy_attr_function *)fn)((MPI_Comm)handle, keyval, (void *)extra, (void *)value, copied, flag);
}

int weft_delete(uintptr_t fn, uintptr_t handle, int keyval, uintptr_t value, uintptr_t extra) {
  return ((MPI_Comm_delete_attr_function *)fn)((MPI_Comm)handle, keyval, (void *)value, (void *)extra);
}

int weft_query(uintptr_t fn, uintptr_t extra, void *status) {
  return ((MPI_Grequest_query_function *)fn)((void *)extra, status);
}

int weft_free(uintptr_t fn, uintptr_t extra) { return ((MPI_Grequest_free_function *)fn)((void *)extra); }

int weft_cancel(uintptr_t fn, uintptr_t extra, int complete) {
  return ((MPI_Grequest_cancel_function *)fn)((void *)extra, complete);
}
