//go:build cgo && linux

package main

// #include "guests.h"
import "C"

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi"
	"github.com/weft-mpi/weft/internal/boot"
)

// guests is the memory that guests.c shares with Go.
var guests = &abi.Guests{
	Rank:  (*boot.Guests)(unsafe.Pointer(&C.weft_guests)),
	Known: (*abi.Known)(unsafe.Pointer(&C.weft_known)),

	Posted: (*abi.Posted)(unsafe.Pointer(&C.weft_posted)),
}

func init() { C.weft_sent = C.uintptr_t(abi.SentHandle()) }

//export weftRing
func weftRing(place C.int) { process.Ring(int(place)) }

// layout is how C lays out what guests share with Go.
func layout() (all []uintptr) {
	for _, n := range unsafe.Slice((*C.uintptr_t)(unsafe.Pointer(&C.weft_layout)), C.weft_layout_length) {
		all = append(all, uintptr(n))
	}
	return all
}
