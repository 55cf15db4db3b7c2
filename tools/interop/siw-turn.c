/* Put into siw_qp_tx.c by siw-vm.sh, at its end: only one thread at a time works on a send queue, which siw does not see to.
 *
 * A program that posts works on its queue itself. When the socket is full it stops, and siw's own thread goes on as soon
 * as there is room. There may be room before the program has noted how far it came, and both work on the same FPDU.
 * docs/interop.md says what was seen.
 *
 * Parameters of the module: take_turns, N for siw as it is shipped; overlaps counts threads that came while another was
 * there; linger is for how many microseconds siw_tx_hdt waits, when it stops, before it notes how far it came. */
static bool take_turns = true;
module_param(take_turns, bool, 0644);
static atomic_t overlaps;
module_param_named(overlaps, overlaps.counter, int, 0644);
module_param(linger, uint, 0644);

int siw_qp_sq_process(struct siw_qp *qp)
{
	int rv = 0;

	if (!mutex_trylock(&qp->turn)) {
		atomic_inc(&overlaps);
		if (!READ_ONCE(take_turns))
			return sq_process(qp);
		mutex_lock(&qp->turn);
	}
	/* Who had to wait may find the work done; to siw that is work to complete. */
	if (!READ_ONCE(take_turns) || tx_wqe(qp)->wr_status != SIW_WR_IDLE)
		rv = sq_process(qp);
	mutex_unlock(&qp->turn);
	return rv;
}
