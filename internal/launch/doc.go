// Package launch runs a parallel job on one host or several: it starts n processes, serves them the PMI
// protocol, carries their input and output, forwards signals, and sees to it that the job ends as one and
// leaves nothing behind.
//
// It owns the processes from the first fork to the last reap and everything said to the user in between. It promises
//
//   - one exit code: that of the first abnormal end in time, see Run;
//   - no process left over. Ranks die three ways: by signal from the launcher, by PR_SET_PDEATHSIG when the launcher
//     is killed, by the end of their control socket. Their own children die with their process group, which a
//     watchdog ends if the launcher cannot. Only a process that started a session of its own escapes, as it asked to;
//   - output by whole lines, never one rank's words inside another's;
//   - the same on other hosts. An agent there, started by ssh, does what the launcher does here; all it hears and says
//     passes through its standard input and output, and when those end, or fall silent, it ends everything it has started.
//
// It must not know what MPI is beyond init and finalize, nor how ranks reach each other: shared memory comes in as a
// file from Job.Segment and goes out as a file descriptor.
//
// Structure: all decisions are taken by one goroutine, the loop in loop.go, on events that small
// goroutines bring from sockets, pipes, agents and the kernel. A host is a crew (crew.go: the ranks of
// this host) or a link to an agent (link.go); an agent (agent.go) has a crew in turn. The link to an agent
// that another one has started passes through the link to that (tree.go, reach.go, agent_hops.go). Rules
// worth reading alone are pure functions: verdict.go (exit codes), stall.go (the stall report), bind.go
// (who gets which CPUs).
package launch
