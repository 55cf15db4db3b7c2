package model

// ticks are time as the model reckons with it: whole numbers, so that ranks on different processors,
// some of which round sums of products once and some twice, come to the same. There are 1024 in a
// nanosecond.
type ticks int64

// rate is time per byte in 2^-30 nanoseconds.
type rate int64

func (r rate) of(bytes int) ticks {
	return ticks(int64(r)*int64(bytes>>4)>>16 + int64(r)*int64(bytes&15)>>20)
}

func inTicks(ns float64) ticks { return ticks(ns*1024 + 0.5) }
func inRate(ns float64) rate   { return rate(ns*(1<<30) + 0.5) }

// nanos is a time for people.
func (t ticks) nanos() float64 { return float64(t) / 1024 }

// costs are the numbers of a Machine as the model uses them.
type costs struct {
	step, flag, fetch, turn              ticks
	near, nearWay, far, farWay, farGap   ticks
	copy, reduce, oneWay, bothWay, touch rate
	side                                 ticks // copies side by side, times 1024
	help                                 ticks // likewise
	nearLong, farLong                    int
}

func (m *Machine) costs() *costs {
	return &costs{
		step: inTicks(m.Step), flag: inTicks(m.Flag), fetch: inTicks(m.Fetch), turn: inTicks(m.Turn),
		near: inTicks(m.Near), nearWay: inTicks(m.NearWay), far: inTicks(m.Far), farWay: inTicks(m.FarWay), farGap: inTicks(m.FarGap),
		copy: inRate(m.Copy), reduce: inRate(m.Reduce), oneWay: inRate(m.Byte), bothWay: inRate(max(m.Byte, 2*m.Both)), touch: inRate(m.Touch),
		side: max(inTicks(m.Lanes), 1), help: max(inTicks(m.Help), 1), nearLong: int(m.NearLong), farLong: int(m.FarLong),
	}
}
