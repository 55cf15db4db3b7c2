package iwarp

import (
	"encoding/binary"
	"hash/crc32"
)

// CRCSize is the size of the CRC at the end of an FPDU and of a datagram.
const CRCSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC is a CRC32C under way. It is a value: a running CRC may be copied and continued in two ways.
type CRC uint32

// NewCRC is the CRC of nothing.
func NewCRC() CRC { return 0 }

// Add returns the CRC continued over b. It lets b escape: keep small headers in memory that is there anyway.
func (c CRC) Add(b []byte) CRC { return CRC(crc32.Update(uint32(c), castagnoli, b)) }

// Append adds the value to b as it is on the wire, least significant byte first.
func (c CRC) Append(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, c.Sum()) }

// Sum is the value to be stored, little-endian.
func (c CRC) Sum() uint32 { return uint32(c) }

// addFew is Add for a handful of bytes, without letting them escape.
func (c CRC) addFew(b []byte) CRC {
	crc := ^uint32(c)
	for _, x := range b {
		crc = castagnoli[byte(crc)^x] ^ crc>>8
	}
	return CRC(^crc)
}
