
/* Put into siw_qp_tx.c by vm.sh, at its end: only one thread at a time works on a send queue, which siw does not see to.
 *
 * A program that posts works on its queue itself, and siw's own thread does so for answers to Reads and when a socket that
 * was full has room again. In siw as it is shipped they meet:
 *   - There may be room before the program has noted how far it came, and both work on the same FPDU.
 *   - The program notes that the queue's memory is that of the current process (in_syscall) for longer than it works on the
 *     queue, and siw's thread, which has no such memory, believes it.
 * docs/building/interop.md says what was seen.
 *
 * Parameters of the module: take_turns, N for siw as it is shipped; overlaps counts threads that came while another was
 * there; linger is for how many microseconds a thread waits at the two places where threads meet. */
bool take_turns = true;
module_param(take_turns, bool, 0644);
unsigned int linger;
module_param(linger, uint, 0644);
static atomic_t overlaps;
module_param_named(overlaps, overlaps.counter, int, 0644);

int siw_qp_sq_process(struct siw_qp *qp)
{
	int rv = 0;

	if (!mutex_trylock(&qp->turn)) {
		atomic_inc(&overlaps);
		if (!READ_ONCE(take_turns))
			return sq_process(qp);
		mutex_lock(&qp->turn);
	}
	if (!READ_ONCE(take_turns)) {
		rv = sq_process(qp);
	} else if (tx_wqe(qp)->wr_status != SIW_WR_IDLE) { /* else the work was done meanwhile, which to siw is work to complete */
		qp->tx_ctx.in_syscall = !(current->flags & PF_KTHREAD);
		rv = sq_process(qp);
	}
	mutex_unlock(&qp->turn);
	return rv;
}
