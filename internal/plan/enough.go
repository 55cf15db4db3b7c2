package plan

// Enough says which of n open steps, given by step, are worth waking up for: it calls pick for so many of
// them that, as long as none of those has ended, the ends of all others together start no other step and do
// not end the run. Who sleeps until steps end that many ranks end in any order is so spared being woken by
// each.
func (r *Run) Enough(n int, step func(i int) int, pick func(i int)) {
	p := r.plan
	if cap(r.fed) < len(p.Steps) {
		r.fed = make([]int32, len(p.Steps))
	}
	fed := r.fed[:len(p.Steps)] // per step: how many of the open ones it waits for; negative once one of them was picked
	for i := range n {
		for _, s := range r.followers(step(i)) {
			fed[s]++
		}
	}
	last := false // a step that nothing waits for was picked
	for i := range n {
		next := r.followers(step(i))
		wanted := len(next) == 0 && !last
		last = last || wanted
		for _, s := range next {
			if fed[s] == r.left[s] { // nothing else is missing
				wanted = true
			}
		}
		if !wanted {
			continue
		}
		pick(i)
		for _, s := range next {
			fed[s] = -1
		}
	}
	for i := range n {
		for _, s := range r.followers(step(i)) {
			fed[s] = 0
		}
	}
}

// followers are the steps that wait for step i.
func (r *Run) followers(i int) []int32 { return r.plan.Followers(i) }
