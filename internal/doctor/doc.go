// Package doctor finds what would keep a job from running, or from running well, on a host or between several, before
// a job does.
//
// It owns the facts that are gathered on each host, the judgement over them, and the little agent that gathers them
// elsewhere and lets hosts try to reach each other. A finding says in one line what is so and in another what to do.
// Judging is apart from gathering: the checks are functions of facts, so every one is tested without the machine that
// would show it. The agent speaks only through its standard input and output, and listens to its peers only while it
// is asked to, answering no one who does not know the key of this examination.
//
// It knows how to run ssh and how hosts are named; it must not know how jobs are started or messages passed.
package doctor
