/* Handlers of signals that a program sets must run on the alternate stack: the thread that a signal meets may be on
   a stack of Go's, which has a few kilobytes. So the library stands before libc's functions and adds the flag. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>

typedef int (*sigaction_function)(int, const struct sigaction *, struct sigaction *);

/* real is libc's sigaction. RTLD_NEXT does not find it if libc comes before us. */
static sigaction_function real(void) {
  static sigaction_function found;
  sigaction_function f = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (f) return f;
  f = (sigaction_function)dlsym(RTLD_NEXT, "sigaction");
  if (!f) {
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (libc) f = (sigaction_function)dlsym(libc, "sigaction");
  }
  __atomic_store_n(&found, f, __ATOMIC_RELEASE);
  return f;
}

int sigaction(int number, const struct sigaction *act, struct sigaction *old) {
  struct sigaction changed;
  sigaction_function f = real();
  if (!f) {
    errno = ENOSYS;
    return -1;
  }
  if (act && act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN) {
    changed = *act;
    changed.sa_flags |= SA_ONSTACK;
    act = &changed;
  }
  return f(number, act, old);
}

void (*signal(int number, void (*handler)(int)))(int) {
  struct sigaction act = {0}, old;
  act.sa_handler = handler;
  act.sa_flags = SA_RESTART;
  sigemptyset(&act.sa_mask);
  if (sigaction(number, &act, &old) < 0) return SIG_ERR;
  return old.sa_handler;
}

#ifndef WEFT_FACE /* what follows is the library's alone */

/* weft_signals adds the flag to handlers that were set before the library was loaded. */
void weft_signals(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction act;
    sigaction_function f = real();
    if (!f || f(number, NULL, &act) < 0) continue;
    if (act.sa_handler == SIG_DFL || act.sa_handler == SIG_IGN || act.sa_flags & SA_ONSTACK) continue;
    act.sa_flags |= SA_ONSTACK;
    f(number, &act, NULL);
  }
}

/* While Go starts its threads all signals are blocked, but for those that a thread's own mistakes raise: so Go's
   threads never take the program's. */
static sigset_t before;

__attribute__((constructor(101))) static void hold_signals(void) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGURG, SIGPROF};
  sigset_t all;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
}

__attribute__((constructor)) static void release_signals(void) { pthread_sigmask(SIG_SETMASK, &before, NULL); }

#endif
