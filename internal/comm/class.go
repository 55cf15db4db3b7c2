package comm

import (
	"errors"
	"strconv"

	"github.com/weft-mpi/weft/internal/topo"
)

// ErrorClass is the number of a class of errors in the application binary interface of MPI 5.0. A program that
// ends by an error exits with it.
type ErrorClass int

// The classes, and 0 for success.
const (
	ClassSuccess ErrorClass = iota
	ClassBuffer
	ClassCount
	ClassType
	ClassTag
	ClassComm
	ClassRank
	ClassRequest
	ClassRoot
	ClassGroup
	ClassOp
	ClassTopology
	ClassDims
	ClassArg
	ClassUnknown
	ClassTruncate
	ClassOther
	ClassIntern
	ClassPending
	ClassInStatus
	ClassAccess
	ClassAmode
	ClassAssert
	ClassBadFile
	ClassBase
	ClassConversion
	ClassDisp
	ClassDupDatarep
	ClassFileExists
	ClassFileInUse
	ClassFile
	ClassInfoKey
	ClassInfoNokey
	ClassInfoValue
	ClassInfo
	ClassIO
	ClassKeyval
	ClassLocktype
	ClassName
	ClassNoMem
	ClassNotSame
	ClassNoSpace
	ClassNoSuchFile
	ClassPort
	ClassQuota
	ClassReadOnly
	ClassRMAAttach
	ClassRMAConflict
	ClassRMARange
	ClassRMAShared
	ClassRMASync
	ClassService
	ClassSize
	ClassSpawn
	ClassUnsupportedDatarep
	ClassUnsupportedOperation
	ClassWin
	ClassRMAFlavor
	ClassProcAborted
	ClassValueTooLarge
	ClassSession
	ClassErrhandler
	ClassABI
)

// LastClass is the largest of them.
const LastClass = ClassABI

// classTexts say what each class is about.
var classTexts = [...]string{
	ClassSuccess:              "no error",
	ClassBuffer:               "bad buffer",
	ClassCount:                "bad count",
	ClassType:                 "bad type",
	ClassTag:                  "bad tag",
	ClassComm:                 "bad communicator",
	ClassRank:                 "bad rank",
	ClassRequest:              "bad request",
	ClassRoot:                 "bad root",
	ClassGroup:                "bad group",
	ClassOp:                   "bad operation",
	ClassTopology:             "bad topology",
	ClassDims:                 "bad dimensions",
	ClassArg:                  "bad argument",
	ClassUnknown:              "unknown error",
	ClassTruncate:             "message truncated",
	ClassOther:                "other error",
	ClassIntern:               "internal error",
	ClassPending:              "request not finished",
	ClassInStatus:             "error code is in the status",
	ClassAccess:               "permission denied",
	ClassAmode:                "bad access mode of a file",
	ClassAssert:               "bad assertion",
	ClassBadFile:              "bad file name",
	ClassBase:                 "bad base of memory",
	ClassConversion:           "data could not be converted",
	ClassDisp:                 "bad displacement",
	ClassDupDatarep:           "data representation defined twice",
	ClassFileExists:           "file exists",
	ClassFileInUse:            "file in use",
	ClassFile:                 "bad file handle",
	ClassInfoKey:              "info key too long",
	ClassInfoNokey:            "no such info key",
	ClassInfoValue:            "info value too long",
	ClassInfo:                 "bad info",
	ClassIO:                   "input or output failed",
	ClassKeyval:               "bad attribute key",
	ClassLocktype:             "bad type of lock",
	ClassName:                 "service name not published",
	ClassNoMem:                "out of memory",
	ClassNotSame:              "ranks called differently",
	ClassNoSpace:              "no space left",
	ClassNoSuchFile:           "no such file",
	ClassPort:                 "bad port",
	ClassQuota:                "quota exceeded",
	ClassReadOnly:             "file is read-only",
	ClassRMAAttach:            "memory cannot be attached",
	ClassRMAConflict:          "conflicting accesses to a window",
	ClassRMARange:             "outside the window",
	ClassRMAShared:            "memory cannot be shared",
	ClassRMASync:              "wrong epoch",
	ClassService:              "service name cannot be published",
	ClassSize:                 "bad size",
	ClassSpawn:                "processes could not be started",
	ClassUnsupportedDatarep:   "data representation not supported",
	ClassUnsupportedOperation: "operation not supported",
	ClassWin:                  "bad window",
	ClassRMAFlavor:            "wrong kind of window",
	ClassProcAborted:          "a process has ended",
	ClassValueTooLarge:        "value too large",
	ClassSession:              "bad session",
	ClassErrhandler:           "bad error handler",
	ClassABI:                  "wrong binary interface",
}

// String says what the class is about.
func (c ErrorClass) String() string {
	if c < 0 || int(c) >= len(classTexts) {
		return "class " + strconv.Itoa(int(c))
	}
	return classTexts[c]
}

// classes maps the errors of the packages to classes: an error belongs to the first that it is.
var classes = []struct {
	err   error
	class ErrorClass
}{
	{ErrBuffer, ClassBuffer}, {ErrCount, ClassCount}, {ErrType, ClassType}, {ErrTag, ClassTag}, {ErrComm, ClassComm},
	{ErrRank, ClassRank}, {ErrRequest, ClassRequest}, {ErrRoot, ClassRoot}, {ErrGroup, ClassGroup}, {ErrOp, ClassOp},
	{topo.ErrGrid, ClassTopology}, {topo.ErrGraph, ClassTopology}, {ErrTwo, ClassComm}, {ErrTruncate, ClassTruncate}, {ErrElement, ClassType}, {ErrMismatch, ClassNotSame},
	{ErrWindow, ClassWin}, {ErrEpoch, ClassRMASync}, {ErrRange, ClassRMARange}, {ErrAlign, ClassDisp},
	{ErrLock, ClassRMAConflict}, {ErrShared, ClassRMAShared},
	{ErrProcFailed, ClassProcAborted}, {ErrGivenUp, ClassProcAborted}, {ErrRefused, ClassProcAborted},
	{ErrRevoked, ClassProcAborted}, {ErrNoRecover, ClassUnsupportedOperation},
	{ErrAborted, ClassProcAborted}, {ErrOver, ClassOther}, {ErrLimit, ClassOther}, {ErrCancelled, ClassOther},
}

// Class is the class of an error; ClassOther for errors that are none of the packages'.
func Class(err error) ErrorClass {
	if err == nil {
		return ClassSuccess
	}
	for _, c := range classes {
		if errors.Is(err, c.err) {
			return c.class
		}
	}
	return ClassOther
}
