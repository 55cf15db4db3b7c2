// Package lab regenerates the figures and tables of the research documents that Weft builds on, on models of their
// machines in virtual time or on this host, and holds the results against what the documents state.
//
// It owns the catalogue (every figure and table, built or not), the shape of a result, the bars that a result is held
// against, and the bench on which an experiment runs MPI programs. It promises that every figure of the documents is in
// the catalogue under a name of its own, that a check always shows the document's value and ours, and that a saved
// result tells how to make it again. It must not know how results are drawn (lab/draw), shown (lab/page) or asked for
// on a command line, nor any particular experiment (lab/experiments).
//
// # Writing an experiment
//
//	func latency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
//		r := b.NewResult("F3.3")
//		a := r.AddPanel("MPI latency", lab.Bytes, lab.Microseconds)
//		for _, on := range b.Setups("IW1", "IB1") {
//			line := a.Line(on.Label)
//			err := b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
//				return measure.Sweep(k, b.Sizes(1, 1<<20), line.Add, func(size int) (float64, error) {
//					return measure.PingPong(k, size, b.Loops(on, size))
//				})
//			})
//			if err != nil {
//				return nil, err
//			}
//		}
//		r.Hold(lab.Prediction, lab.Within("iWARP latency at 4 B", 7, a.Line("iWARP").At(4), 5, "us"))
//		return r, nil
//	}
//
// Its row in lab/experiments attaches it to the catalogue.
package lab
