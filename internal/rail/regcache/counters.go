package regcache

// Counters prove what the cache did since it was made.
type Counters struct {
	Hits        uint64 // Acquires served by what was kept
	Misses      uint64 // Acquires that registered
	Loose       uint64 // misses whose registration was not kept: cache off, all in use, or too long
	Refused     uint64 // Acquires that failed
	Evictions   uint64 // entries closed to make room
	Aged        uint64 // entries closed because nobody used them from collection to collection
	Replaced    uint64 // entries whose place an overlapping registration took
	Invalidated uint64 // entries closed because their memory went away
	Entries     uint64 // open now, in use or not
	Bytes       uint64 // of the entries

	RegisterTime   uint64 // nanoseconds, if Config.Now is set
	DeregisterTime uint64 // likewise
}

// Counters returns what was counted so far.
func (c *Cache) Counters() Counters { return c.count }
