/* Weft in a process that has signals, threads, children and exits of its own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static volatile sig_atomic_t ticks, deep;

/* tick needs more stack than a goroutine has. */
static void tick(int number) {
  volatile char room[6000];
  (void)number;
  memset((char *)room, ticks, sizeof room);
  deep += room[17] != (char)ticks;
  ticks++;
}

/* signals lets a timer interrupt calls that wait and calls that do not. */
static void signals(int rank, int size, int by_signal) {
  struct sigaction act = {0};
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  int i, x;
  double until;
  act.sa_handler = tick;
  if (by_signal) CHECK(signal(SIGALRM, tick) != SIG_ERR);
  else CHECK(sigaction(SIGALRM, &act, NULL) == 0);
  setitimer(ITIMER_REAL, &often, NULL);
  until = MPI_Wtime() + 0.4;
  for (i = 0;; i++) { /* until no rank needs more */
    double now = MPI_Wtime(), all;
    x = i;
    OK(MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(x == i);
    if (i % 64 == 0) {
      int more = now < until || ticks < 20, any;
      OK(MPI_Allreduce(&now, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
      OK(MPI_Allreduce(&more, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD));
      CHECK(all >= now);
      if (!any) break;
    }
  }
  setitimer(ITIMER_REAL, &never, NULL);
  CHECK(ticks >= 20 && deep == 0);
  ticks = 0;
}

/* children may not use MPI, unless they are programs of their own. */
static void children(void) {
  int status;
  pid_t child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    int flag = 7, x = 0, null = open("/dev/null", 1);
    dup2(null, 2);
    if (MPI_Initialized(&flag) != MPI_SUCCESS || flag != 0) _exit(1);
    if (MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF) == MPI_SUCCESS) _exit(2);
    _exit(0);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(system("exit 3") == 3 << 8);
}

static void *chat(void *number) {
  int i, tag = (int)(intptr_t)number, in, out;
  for (i = 0; i < 200; i++) {
    out = 1000 * tag + i;
    OK(MPI_Sendrecv(&out, 1, MPI_INT, 0, tag, &in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(in == out);
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[16];
  int i;
  for (i = 0; i < 16; i++) CHECK(pthread_create(&all[i], NULL, chat, (void *)(intptr_t)i) == 0);
  for (i = 0; i < 16; i++) CHECK(pthread_join(all[i], NULL) == 0);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int rank, size, level;
  if (!strcmp(what, "environ")) setenv("WEFT_BSEND", "nonsense", 1);
  OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(what, "abort")) {
    printf("last words");
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
  if (!strcmp(what, "crash")) *(volatile int *)8 = 1;
  if (!strcmp(what, "exit") && rank == 0) exit(9); /* the others wait for us */
  if (!strcmp(what, "fatal")) MPI_Send(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  signals(rank, size, 0);
  signals(rank, size, 1);
  children();
  threads();
  OK(MPI_Finalize());
  return 0;
}
