! Written by go generate from internal/abi/spec. Do not edit.
module mpi
      implicit none
      INTEGER MPI_VERSION
      PARAMETER (MPI_VERSION=5)
      INTEGER MPI_SUBVERSION
      PARAMETER (MPI_SUBVERSION=0)
      INTEGER MPI_ABI_VERSION
      PARAMETER (MPI_ABI_VERSION=1)
      INTEGER MPI_ABI_SUBVERSION
      PARAMETER (MPI_ABI_SUBVERSION=0)
      INTEGER MPI_OP_NULL
      PARAMETER (MPI_OP_NULL=32)
      INTEGER MPI_SUM
      PARAMETER (MPI_SUM=33)
      INTEGER MPI_MIN
      PARAMETER (MPI_MIN=34)
      INTEGER MPI_MAX
      PARAMETER (MPI_MAX=35)
      INTEGER MPI_PROD
      PARAMETER (MPI_PROD=36)
      INTEGER MPI_BAND
      PARAMETER (MPI_BAND=40)
      INTEGER MPI_BOR
      PARAMETER (MPI_BOR=41)
      INTEGER MPI_BXOR
      PARAMETER (MPI_BXOR=42)
      INTEGER MPI_LAND
      PARAMETER (MPI_LAND=48)
      INTEGER MPI_LOR
      PARAMETER (MPI_LOR=49)
      INTEGER MPI_LXOR
      PARAMETER (MPI_LXOR=50)
      INTEGER MPI_MINLOC
      PARAMETER (MPI_MINLOC=56)
      INTEGER MPI_MAXLOC
      PARAMETER (MPI_MAXLOC=57)
      INTEGER MPI_REPLACE
      PARAMETER (MPI_REPLACE=60)
      INTEGER MPI_NO_OP
      PARAMETER (MPI_NO_OP=61)
      INTEGER MPI_COMM_NULL
      PARAMETER (MPI_COMM_NULL=256)
      INTEGER MPI_COMM_WORLD
      PARAMETER (MPI_COMM_WORLD=257)
      INTEGER MPI_COMM_SELF
      PARAMETER (MPI_COMM_SELF=258)
      INTEGER MPI_GROUP_NULL
      PARAMETER (MPI_GROUP_NULL=264)
      INTEGER MPI_GROUP_EMPTY
      PARAMETER (MPI_GROUP_EMPTY=265)
      INTEGER MPI_WIN_NULL
      PARAMETER (MPI_WIN_NULL=272)
      INTEGER MPI_FILE_NULL
      PARAMETER (MPI_FILE_NULL=280)
      INTEGER MPI_SESSION_NULL
      PARAMETER (MPI_SESSION_NULL=288)
      INTEGER MPI_MESSAGE_NULL
      PARAMETER (MPI_MESSAGE_NULL=296)
      INTEGER MPI_MESSAGE_NO_PROC
      PARAMETER (MPI_MESSAGE_NO_PROC=297)
      INTEGER MPI_INFO_NULL
      PARAMETER (MPI_INFO_NULL=304)
      INTEGER MPI_INFO_ENV
      PARAMETER (MPI_INFO_ENV=305)
      INTEGER MPI_ERRHANDLER_NULL
      PARAMETER (MPI_ERRHANDLER_NULL=320)
      INTEGER MPI_ERRORS_ARE_FATAL
      PARAMETER (MPI_ERRORS_ARE_FATAL=321)
      INTEGER MPI_ERRORS_ABORT
      PARAMETER (MPI_ERRORS_ABORT=322)
      INTEGER MPI_ERRORS_RETURN
      PARAMETER (MPI_ERRORS_RETURN=323)
      INTEGER MPI_REQUEST_NULL
      PARAMETER (MPI_REQUEST_NULL=384)
      INTEGER MPI_DATATYPE_NULL
      PARAMETER (MPI_DATATYPE_NULL=512)
      INTEGER MPI_AINT
      PARAMETER (MPI_AINT=513)
      INTEGER MPI_COUNT
      PARAMETER (MPI_COUNT=514)
      INTEGER MPI_OFFSET
      PARAMETER (MPI_OFFSET=515)
      INTEGER MPI_PACKED
      PARAMETER (MPI_PACKED=519)
      INTEGER MPI_SHORT
      PARAMETER (MPI_SHORT=520)
      INTEGER MPI_INT
      PARAMETER (MPI_INT=521)
      INTEGER MPI_LONG
      PARAMETER (MPI_LONG=522)
      INTEGER MPI_LONG_LONG
      PARAMETER (MPI_LONG_LONG=523)
      INTEGER MPI_LONG_LONG_INT
      PARAMETER (MPI_LONG_LONG_INT=523)
      INTEGER MPI_UNSIGNED_SHORT
      PARAMETER (MPI_UNSIGNED_SHORT=524)
      INTEGER MPI_UNSIGNED
      PARAMETER (MPI_UNSIGNED=525)
      INTEGER MPI_UNSIGNED_LONG
      PARAMETER (MPI_UNSIGNED_LONG=526)
      INTEGER MPI_UNSIGNED_LONG_LONG
      PARAMETER (MPI_UNSIGNED_LONG_LONG=527)
      INTEGER MPI_FLOAT
      PARAMETER (MPI_FLOAT=528)
      INTEGER MPI_C_FLOAT_COMPLEX
      PARAMETER (MPI_C_FLOAT_COMPLEX=530)
      INTEGER MPI_C_COMPLEX
      PARAMETER (MPI_C_COMPLEX=530)
      INTEGER MPI_CXX_FLOAT_COMPLEX
      PARAMETER (MPI_CXX_FLOAT_COMPLEX=531)
      INTEGER MPI_DOUBLE
      PARAMETER (MPI_DOUBLE=532)
      INTEGER MPI_C_DOUBLE_COMPLEX
      PARAMETER (MPI_C_DOUBLE_COMPLEX=534)
      INTEGER MPI_CXX_DOUBLE_COMPLEX
      PARAMETER (MPI_CXX_DOUBLE_COMPLEX=535)
      INTEGER MPI_LOGICAL
      PARAMETER (MPI_LOGICAL=536)
      INTEGER MPI_INTEGER
      PARAMETER (MPI_INTEGER=537)
      INTEGER MPI_REAL
      PARAMETER (MPI_REAL=538)
      INTEGER MPI_COMPLEX
      PARAMETER (MPI_COMPLEX=539)
      INTEGER MPI_DOUBLE_PRECISION
      PARAMETER (MPI_DOUBLE_PRECISION=540)
      INTEGER MPI_DOUBLE_COMPLEX
      PARAMETER (MPI_DOUBLE_COMPLEX=541)
      INTEGER MPI_CHARACTER
      PARAMETER (MPI_CHARACTER=542)
      INTEGER MPI_LONG_DOUBLE
      PARAMETER (MPI_LONG_DOUBLE=544)
      INTEGER MPI_C_LONG_DOUBLE_COMPLEX
      PARAMETER (MPI_C_LONG_DOUBLE_COMPLEX=548)
      INTEGER MPI_CXX_LONG_DOUBLE_COMPLEX
      PARAMETER (MPI_CXX_LONG_DOUBLE_COMPLEX=549)
      INTEGER MPI_FLOAT_INT
      PARAMETER (MPI_FLOAT_INT=552)
      INTEGER MPI_DOUBLE_INT
      PARAMETER (MPI_DOUBLE_INT=553)
      INTEGER MPI_LONG_INT
      PARAMETER (MPI_LONG_INT=554)
      INTEGER MPI_2INT
      PARAMETER (MPI_2INT=555)
      INTEGER MPI_SHORT_INT
      PARAMETER (MPI_SHORT_INT=556)
      INTEGER MPI_LONG_DOUBLE_INT
      PARAMETER (MPI_LONG_DOUBLE_INT=557)
      INTEGER MPI_2REAL
      PARAMETER (MPI_2REAL=560)
      INTEGER MPI_2DOUBLE_PRECISION
      PARAMETER (MPI_2DOUBLE_PRECISION=561)
      INTEGER MPI_2INTEGER
      PARAMETER (MPI_2INTEGER=562)
      INTEGER MPI_C_BOOL
      PARAMETER (MPI_C_BOOL=568)
      INTEGER MPI_CXX_BOOL
      PARAMETER (MPI_CXX_BOOL=569)
      INTEGER MPI_WCHAR
      PARAMETER (MPI_WCHAR=572)
      INTEGER MPI_INT8_T
      PARAMETER (MPI_INT8_T=576)
      INTEGER MPI_UINT8_T
      PARAMETER (MPI_UINT8_T=577)
      INTEGER MPI_CHAR
      PARAMETER (MPI_CHAR=579)
      INTEGER MPI_SIGNED_CHAR
      PARAMETER (MPI_SIGNED_CHAR=580)
      INTEGER MPI_UNSIGNED_CHAR
      PARAMETER (MPI_UNSIGNED_CHAR=581)
      INTEGER MPI_BYTE
      PARAMETER (MPI_BYTE=583)
      INTEGER MPI_INT16_T
      PARAMETER (MPI_INT16_T=584)
      INTEGER MPI_UINT16_T
      PARAMETER (MPI_UINT16_T=585)
      INTEGER MPI_INT32_T
      PARAMETER (MPI_INT32_T=592)
      INTEGER MPI_UINT32_T
      PARAMETER (MPI_UINT32_T=593)
      INTEGER MPI_INT64_T
      PARAMETER (MPI_INT64_T=600)
      INTEGER MPI_UINT64_T
      PARAMETER (MPI_UINT64_T=601)
      INTEGER MPI_LOGICAL1
      PARAMETER (MPI_LOGICAL1=704)
      INTEGER MPI_INTEGER1
      PARAMETER (MPI_INTEGER1=705)
      INTEGER MPI_LOGICAL2
      PARAMETER (MPI_LOGICAL2=712)
      INTEGER MPI_INTEGER2
      PARAMETER (MPI_INTEGER2=713)
      INTEGER MPI_REAL2
      PARAMETER (MPI_REAL2=714)
      INTEGER MPI_LOGICAL4
      PARAMETER (MPI_LOGICAL4=720)
      INTEGER MPI_INTEGER4
      PARAMETER (MPI_INTEGER4=721)
      INTEGER MPI_REAL4
      PARAMETER (MPI_REAL4=722)
      INTEGER MPI_COMPLEX4
      PARAMETER (MPI_COMPLEX4=723)
      INTEGER MPI_LOGICAL8
      PARAMETER (MPI_LOGICAL8=728)
      INTEGER MPI_INTEGER8
      PARAMETER (MPI_INTEGER8=729)
      INTEGER MPI_REAL8
      PARAMETER (MPI_REAL8=730)
      INTEGER MPI_COMPLEX8
      PARAMETER (MPI_COMPLEX8=731)
      INTEGER MPI_LOGICAL16
      PARAMETER (MPI_LOGICAL16=736)
      INTEGER MPI_INTEGER16
      PARAMETER (MPI_INTEGER16=737)
      INTEGER MPI_REAL16
      PARAMETER (MPI_REAL16=738)
      INTEGER MPI_COMPLEX16
      PARAMETER (MPI_COMPLEX16=739)
      INTEGER MPI_COMPLEX32
      PARAMETER (MPI_COMPLEX32=747)
      INTEGER MPI_SUCCESS
      PARAMETER (MPI_SUCCESS=0)
      INTEGER MPI_ERR_BUFFER
      PARAMETER (MPI_ERR_BUFFER=1)
      INTEGER MPI_ERR_COUNT
      PARAMETER (MPI_ERR_COUNT=2)
      INTEGER MPI_ERR_TYPE
      PARAMETER (MPI_ERR_TYPE=3)
      INTEGER MPI_ERR_TAG
      PARAMETER (MPI_ERR_TAG=4)
      INTEGER MPI_ERR_COMM
      PARAMETER (MPI_ERR_COMM=5)
      INTEGER MPI_ERR_RANK
      PARAMETER (MPI_ERR_RANK=6)
      INTEGER MPI_ERR_REQUEST
      PARAMETER (MPI_ERR_REQUEST=7)
      INTEGER MPI_ERR_ROOT
      PARAMETER (MPI_ERR_ROOT=8)
      INTEGER MPI_ERR_GROUP
      PARAMETER (MPI_ERR_GROUP=9)
      INTEGER MPI_ERR_OP
      PARAMETER (MPI_ERR_OP=10)
      INTEGER MPI_ERR_TOPOLOGY
      PARAMETER (MPI_ERR_TOPOLOGY=11)
      INTEGER MPI_ERR_DIMS
      PARAMETER (MPI_ERR_DIMS=12)
      INTEGER MPI_ERR_ARG
      PARAMETER (MPI_ERR_ARG=13)
      INTEGER MPI_ERR_UNKNOWN
      PARAMETER (MPI_ERR_UNKNOWN=14)
      INTEGER MPI_ERR_TRUNCATE
      PARAMETER (MPI_ERR_TRUNCATE=15)
      INTEGER MPI_ERR_OTHER
      PARAMETER (MPI_ERR_OTHER=16)
      INTEGER MPI_ERR_INTERN
      PARAMETER (MPI_ERR_INTERN=17)
      INTEGER MPI_ERR_PENDING
      PARAMETER (MPI_ERR_PENDING=18)
      INTEGER MPI_ERR_IN_STATUS
      PARAMETER (MPI_ERR_IN_STATUS=19)
      INTEGER MPI_ERR_ACCESS
      PARAMETER (MPI_ERR_ACCESS=20)
      INTEGER MPI_ERR_AMODE
      PARAMETER (MPI_ERR_AMODE=21)
      INTEGER MPI_ERR_ASSERT
      PARAMETER (MPI_ERR_ASSERT=22)
      INTEGER MPI_ERR_BAD_FILE
      PARAMETER (MPI_ERR_BAD_FILE=23)
      INTEGER MPI_ERR_BASE
      PARAMETER (MPI_ERR_BASE=24)
      INTEGER MPI_ERR_CONVERSION
      PARAMETER (MPI_ERR_CONVERSION=25)
      INTEGER MPI_ERR_DISP
      PARAMETER (MPI_ERR_DISP=26)
      INTEGER MPI_ERR_DUP_DATAREP
      PARAMETER (MPI_ERR_DUP_DATAREP=27)
      INTEGER MPI_ERR_FILE_EXISTS
      PARAMETER (MPI_ERR_FILE_EXISTS=28)
      INTEGER MPI_ERR_FILE_IN_USE
      PARAMETER (MPI_ERR_FILE_IN_USE=29)
      INTEGER MPI_ERR_FILE
      PARAMETER (MPI_ERR_FILE=30)
      INTEGER MPI_ERR_INFO_KEY
      PARAMETER (MPI_ERR_INFO_KEY=31)
      INTEGER MPI_ERR_INFO_NOKEY
      PARAMETER (MPI_ERR_INFO_NOKEY=32)
      INTEGER MPI_ERR_INFO_VALUE
      PARAMETER (MPI_ERR_INFO_VALUE=33)
      INTEGER MPI_ERR_INFO
      PARAMETER (MPI_ERR_INFO=34)
      INTEGER MPI_ERR_IO
      PARAMETER (MPI_ERR_IO=35)
      INTEGER MPI_ERR_KEYVAL
      PARAMETER (MPI_ERR_KEYVAL=36)
      INTEGER MPI_ERR_LOCKTYPE
      PARAMETER (MPI_ERR_LOCKTYPE=37)
      INTEGER MPI_ERR_NAME
      PARAMETER (MPI_ERR_NAME=38)
      INTEGER MPI_ERR_NO_MEM
      PARAMETER (MPI_ERR_NO_MEM=39)
      INTEGER MPI_ERR_NOT_SAME
      PARAMETER (MPI_ERR_NOT_SAME=40)
      INTEGER MPI_ERR_NO_SPACE
      PARAMETER (MPI_ERR_NO_SPACE=41)
      INTEGER MPI_ERR_NO_SUCH_FILE
      PARAMETER (MPI_ERR_NO_SUCH_FILE=42)
      INTEGER MPI_ERR_PORT
      PARAMETER (MPI_ERR_PORT=43)
      INTEGER MPI_ERR_QUOTA
      PARAMETER (MPI_ERR_QUOTA=44)
      INTEGER MPI_ERR_READ_ONLY
      PARAMETER (MPI_ERR_READ_ONLY=45)
      INTEGER MPI_ERR_RMA_ATTACH
      PARAMETER (MPI_ERR_RMA_ATTACH=46)
      INTEGER MPI_ERR_RMA_CONFLICT
      PARAMETER (MPI_ERR_RMA_CONFLICT=47)
      INTEGER MPI_ERR_RMA_RANGE
      PARAMETER (MPI_ERR_RMA_RANGE=48)
      INTEGER MPI_ERR_RMA_SHARED
      PARAMETER (MPI_ERR_RMA_SHARED=49)
      INTEGER MPI_ERR_RMA_SYNC
      PARAMETER (MPI_ERR_RMA_SYNC=50)
      INTEGER MPI_ERR_SERVICE
      PARAMETER (MPI_ERR_SERVICE=51)
      INTEGER MPI_ERR_SIZE
      PARAMETER (MPI_ERR_SIZE=52)
      INTEGER MPI_ERR_SPAWN
      PARAMETER (MPI_ERR_SPAWN=53)
      INTEGER MPI_ERR_UNSUPPORTED_DATAREP
      PARAMETER (MPI_ERR_UNSUPPORTED_DATAREP=54)
      INTEGER MPI_ERR_UNSUPPORTED_OPERATION
      PARAMETER (MPI_ERR_UNSUPPORTED_OPERATION=55)
      INTEGER MPI_ERR_WIN
      PARAMETER (MPI_ERR_WIN=56)
      INTEGER MPI_ERR_RMA_FLAVOR
      PARAMETER (MPI_ERR_RMA_FLAVOR=57)
      INTEGER MPI_ERR_PROC_ABORTED
      PARAMETER (MPI_ERR_PROC_ABORTED=58)
      INTEGER MPI_ERR_VALUE_TOO_LARGE
      PARAMETER (MPI_ERR_VALUE_TOO_LARGE=59)
      INTEGER MPI_ERR_SESSION
      PARAMETER (MPI_ERR_SESSION=60)
      INTEGER MPI_ERR_ERRHANDLER
      PARAMETER (MPI_ERR_ERRHANDLER=61)
      INTEGER MPI_ERR_ABI
      PARAMETER (MPI_ERR_ABI=62)
      INTEGER MPI_ERR_LASTCODE
      PARAMETER (MPI_ERR_LASTCODE=16383)
      INTEGER MPI_MAX_DATAREP_STRING
      PARAMETER (MPI_MAX_DATAREP_STRING=127)
      INTEGER MPI_MAX_ERROR_STRING
      PARAMETER (MPI_MAX_ERROR_STRING=511)
      INTEGER MPI_MAX_INFO_KEY
      PARAMETER (MPI_MAX_INFO_KEY=255)
      INTEGER MPI_MAX_INFO_VAL
      PARAMETER (MPI_MAX_INFO_VAL=1023)
      INTEGER MPI_MAX_LIBRARY_VERSION_STRING
      PARAMETER (MPI_MAX_LIBRARY_VERSION_STRING=8191)
      INTEGER MPI_MAX_OBJECT_NAME
      PARAMETER (MPI_MAX_OBJECT_NAME=127)
      INTEGER MPI_MAX_PORT_NAME
      PARAMETER (MPI_MAX_PORT_NAME=1023)
      INTEGER MPI_MAX_PROCESSOR_NAME
      PARAMETER (MPI_MAX_PROCESSOR_NAME=255)
      INTEGER MPI_MAX_STRINGTAG_LEN
      PARAMETER (MPI_MAX_STRINGTAG_LEN=1023)
      INTEGER MPI_MAX_PSET_NAME_LEN
      PARAMETER (MPI_MAX_PSET_NAME_LEN=1023)
      INTEGER MPI_BSEND_OVERHEAD
      PARAMETER (MPI_BSEND_OVERHEAD=512)
      INTEGER MPI_MODE_APPEND
      PARAMETER (MPI_MODE_APPEND=1)
      INTEGER MPI_MODE_CREATE
      PARAMETER (MPI_MODE_CREATE=2)
      INTEGER MPI_MODE_DELETE_ON_CLOSE
      PARAMETER (MPI_MODE_DELETE_ON_CLOSE=4)
      INTEGER MPI_MODE_EXCL
      PARAMETER (MPI_MODE_EXCL=8)
      INTEGER MPI_MODE_RDONLY
      PARAMETER (MPI_MODE_RDONLY=16)
      INTEGER MPI_MODE_RDWR
      PARAMETER (MPI_MODE_RDWR=32)
      INTEGER MPI_MODE_SEQUENTIAL
      PARAMETER (MPI_MODE_SEQUENTIAL=64)
      INTEGER MPI_MODE_UNIQUE_OPEN
      PARAMETER (MPI_MODE_UNIQUE_OPEN=128)
      INTEGER MPI_MODE_WRONLY
      PARAMETER (MPI_MODE_WRONLY=256)
      INTEGER MPI_MODE_NOCHECK
      PARAMETER (MPI_MODE_NOCHECK=1024)
      INTEGER MPI_MODE_NOPRECEDE
      PARAMETER (MPI_MODE_NOPRECEDE=2048)
      INTEGER MPI_MODE_NOPUT
      PARAMETER (MPI_MODE_NOPUT=4096)
      INTEGER MPI_MODE_NOSTORE
      PARAMETER (MPI_MODE_NOSTORE=8192)
      INTEGER MPI_MODE_NOSUCCEED
      PARAMETER (MPI_MODE_NOSUCCEED=16384)
      INTEGER MPI_ANY_SOURCE
      PARAMETER (MPI_ANY_SOURCE=-1)
      INTEGER MPI_ANY_TAG
      PARAMETER (MPI_ANY_TAG=-2)
      INTEGER MPI_PROC_NULL
      PARAMETER (MPI_PROC_NULL=-3)
      INTEGER MPI_ROOT
      PARAMETER (MPI_ROOT=-4)
      INTEGER MPI_UNDEFINED
      PARAMETER (MPI_UNDEFINED=-32766)
      INTEGER MPI_THREAD_SINGLE
      PARAMETER (MPI_THREAD_SINGLE=0)
      INTEGER MPI_THREAD_FUNNELED
      PARAMETER (MPI_THREAD_FUNNELED=1024)
      INTEGER MPI_THREAD_SERIALIZED
      PARAMETER (MPI_THREAD_SERIALIZED=2048)
      INTEGER MPI_THREAD_MULTIPLE
      PARAMETER (MPI_THREAD_MULTIPLE=4096)
      INTEGER MPI_ORDER_C
      PARAMETER (MPI_ORDER_C=12)
      INTEGER MPI_ORDER_FORTRAN
      PARAMETER (MPI_ORDER_FORTRAN=15)
      INTEGER MPI_DISTRIBUTE_NONE
      PARAMETER (MPI_DISTRIBUTE_NONE=16)
      INTEGER MPI_DISTRIBUTE_BLOCK
      PARAMETER (MPI_DISTRIBUTE_BLOCK=17)
      INTEGER MPI_DISTRIBUTE_CYCLIC
      PARAMETER (MPI_DISTRIBUTE_CYCLIC=18)
      INTEGER MPI_DISTRIBUTE_DFLT_DARG
      PARAMETER (MPI_DISTRIBUTE_DFLT_DARG=19)
      INTEGER MPI_COMBINER_NAMED
      PARAMETER (MPI_COMBINER_NAMED=101)
      INTEGER MPI_COMBINER_DUP
      PARAMETER (MPI_COMBINER_DUP=102)
      INTEGER MPI_COMBINER_CONTIGUOUS
      PARAMETER (MPI_COMBINER_CONTIGUOUS=103)
      INTEGER MPI_COMBINER_VECTOR
      PARAMETER (MPI_COMBINER_VECTOR=104)
      INTEGER MPI_COMBINER_HVECTOR
      PARAMETER (MPI_COMBINER_HVECTOR=105)
      INTEGER MPI_COMBINER_INDEXED
      PARAMETER (MPI_COMBINER_INDEXED=106)
      INTEGER MPI_COMBINER_HINDEXED
      PARAMETER (MPI_COMBINER_HINDEXED=107)
      INTEGER MPI_COMBINER_INDEXED_BLOCK
      PARAMETER (MPI_COMBINER_INDEXED_BLOCK=108)
      INTEGER MPI_COMBINER_HINDEXED_BLOCK
      PARAMETER (MPI_COMBINER_HINDEXED_BLOCK=109)
      INTEGER MPI_COMBINER_STRUCT
      PARAMETER (MPI_COMBINER_STRUCT=110)
      INTEGER MPI_COMBINER_SUBARRAY
      PARAMETER (MPI_COMBINER_SUBARRAY=111)
      INTEGER MPI_COMBINER_DARRAY
      PARAMETER (MPI_COMBINER_DARRAY=112)
      INTEGER MPI_COMBINER_F90_REAL
      PARAMETER (MPI_COMBINER_F90_REAL=113)
      INTEGER MPI_COMBINER_F90_COMPLEX
      PARAMETER (MPI_COMBINER_F90_COMPLEX=114)
      INTEGER MPI_COMBINER_F90_INTEGER
      PARAMETER (MPI_COMBINER_F90_INTEGER=115)
      INTEGER MPI_COMBINER_RESIZED
      PARAMETER (MPI_COMBINER_RESIZED=116)
      INTEGER MPI_COMBINER_VALUE_INDEX
      PARAMETER (MPI_COMBINER_VALUE_INDEX=117)
      INTEGER MPI_TYPECLASS_INTEGER
      PARAMETER (MPI_TYPECLASS_INTEGER=192)
      INTEGER MPI_TYPECLASS_REAL
      PARAMETER (MPI_TYPECLASS_REAL=193)
      INTEGER MPI_TYPECLASS_COMPLEX
      PARAMETER (MPI_TYPECLASS_COMPLEX=194)
      INTEGER MPI_IDENT
      PARAMETER (MPI_IDENT=201)
      INTEGER MPI_CONGRUENT
      PARAMETER (MPI_CONGRUENT=202)
      INTEGER MPI_SIMILAR
      PARAMETER (MPI_SIMILAR=203)
      INTEGER MPI_UNEQUAL
      PARAMETER (MPI_UNEQUAL=204)
      INTEGER MPI_CART
      PARAMETER (MPI_CART=211)
      INTEGER MPI_GRAPH
      PARAMETER (MPI_GRAPH=212)
      INTEGER MPI_DIST_GRAPH
      PARAMETER (MPI_DIST_GRAPH=213)
      INTEGER MPI_COMM_TYPE_SHARED
      PARAMETER (MPI_COMM_TYPE_SHARED=221)
      INTEGER MPI_COMM_TYPE_HW_UNGUIDED
      PARAMETER (MPI_COMM_TYPE_HW_UNGUIDED=222)
      INTEGER MPI_COMM_TYPE_HW_GUIDED
      PARAMETER (MPI_COMM_TYPE_HW_GUIDED=223)
      INTEGER MPI_COMM_TYPE_RESOURCE_GUIDED
      PARAMETER (MPI_COMM_TYPE_RESOURCE_GUIDED=224)
      INTEGER MPI_LOCK_EXCLUSIVE
      PARAMETER (MPI_LOCK_EXCLUSIVE=301)
      INTEGER MPI_LOCK_SHARED
      PARAMETER (MPI_LOCK_SHARED=302)
      INTEGER MPI_WIN_FLAVOR_CREATE
      PARAMETER (MPI_WIN_FLAVOR_CREATE=311)
      INTEGER MPI_WIN_FLAVOR_ALLOCATE
      PARAMETER (MPI_WIN_FLAVOR_ALLOCATE=312)
      INTEGER MPI_WIN_FLAVOR_DYNAMIC
      PARAMETER (MPI_WIN_FLAVOR_DYNAMIC=313)
      INTEGER MPI_WIN_FLAVOR_SHARED
      PARAMETER (MPI_WIN_FLAVOR_SHARED=314)
      INTEGER MPI_WIN_UNIFIED
      PARAMETER (MPI_WIN_UNIFIED=321)
      INTEGER MPI_WIN_SEPARATE
      PARAMETER (MPI_WIN_SEPARATE=322)
      INTEGER MPI_SEEK_CUR
      PARAMETER (MPI_SEEK_CUR=401)
      INTEGER MPI_SEEK_END
      PARAMETER (MPI_SEEK_END=402)
      INTEGER MPI_SEEK_SET
      PARAMETER (MPI_SEEK_SET=403)
      INTEGER*8 MPI_DISPLACEMENT_CURRENT
      PARAMETER (MPI_DISPLACEMENT_CURRENT=-1)
      INTEGER MPI_KEYVAL_INVALID
      PARAMETER (MPI_KEYVAL_INVALID=0)
      INTEGER MPI_TAG_UB
      PARAMETER (MPI_TAG_UB=501)
      INTEGER MPI_IO
      PARAMETER (MPI_IO=502)
      INTEGER MPI_HOST
      PARAMETER (MPI_HOST=503)
      INTEGER MPI_WTIME_IS_GLOBAL
      PARAMETER (MPI_WTIME_IS_GLOBAL=504)
      INTEGER MPI_APPNUM
      PARAMETER (MPI_APPNUM=505)
      INTEGER MPI_LASTUSEDCODE
      PARAMETER (MPI_LASTUSEDCODE=506)
      INTEGER MPI_UNIVERSE_SIZE
      PARAMETER (MPI_UNIVERSE_SIZE=507)
      INTEGER MPI_WIN_BASE
      PARAMETER (MPI_WIN_BASE=601)
      INTEGER MPI_WIN_DISP_UNIT
      PARAMETER (MPI_WIN_DISP_UNIT=602)
      INTEGER MPI_WIN_SIZE
      PARAMETER (MPI_WIN_SIZE=603)
      INTEGER MPI_WIN_CREATE_FLAVOR
      PARAMETER (MPI_WIN_CREATE_FLAVOR=604)
      INTEGER MPI_WIN_MODEL
      PARAMETER (MPI_WIN_MODEL=605)
      INTEGER MPI_STATUS_SIZE
      PARAMETER (MPI_STATUS_SIZE=8)
      INTEGER MPI_SOURCE
      PARAMETER (MPI_SOURCE=1)
      INTEGER MPI_TAG
      PARAMETER (MPI_TAG=2)
      INTEGER MPI_ERROR
      PARAMETER (MPI_ERROR=3)
      INTEGER MPI_ADDRESS_KIND
      PARAMETER (MPI_ADDRESS_KIND=8)
      INTEGER MPI_COUNT_KIND
      PARAMETER (MPI_COUNT_KIND=8)
      INTEGER MPI_OFFSET_KIND
      PARAMETER (MPI_OFFSET_KIND=8)
      INTEGER MPI_INTEGER_KIND
      PARAMETER (MPI_INTEGER_KIND=4)
      LOGICAL MPI_SUBARRAYS_SUPPORTED
      PARAMETER (MPI_SUBARRAYS_SUPPORTED=.FALSE.)
      LOGICAL MPI_ASYNC_PROTECTS_NONBLOCKING
      PARAMETER (MPI_ASYNC_PROTECTS_NONBLOCKING=.FALSE.)
      INTEGER MPI_BOTTOM
      COMMON /WEFT_MPI_BOTTOM/ MPI_BOTTOM
      INTEGER MPI_IN_PLACE
      COMMON /WEFT_MPI_IN_PLACE/ MPI_IN_PLACE
      INTEGER MPI_BUFFER_AUTOMATIC
      COMMON /WEFT_MPI_BUFFER_AUTOMATIC/ MPI_BUFFER_AUTOMATIC
      INTEGER MPI_STATUS_IGNORE(8)
      COMMON /WEFT_MPI_STATUS_IGNORE/ MPI_STATUS_IGNORE
      INTEGER MPI_STATUSES_IGNORE(8,1)
      COMMON /WEFT_MPI_STATUSES_IGNORE/ MPI_STATUSES_IGNORE
      INTEGER MPI_ERRCODES_IGNORE(1)
      COMMON /WEFT_MPI_ERRCODES_IGNORE/ MPI_ERRCODES_IGNORE
      INTEGER MPI_UNWEIGHTED(1)
      COMMON /WEFT_MPI_UNWEIGHTED/ MPI_UNWEIGHTED
      INTEGER MPI_WEIGHTS_EMPTY(1)
      COMMON /WEFT_MPI_WEIGHTS_EMPTY/ MPI_WEIGHTS_EMPTY
      CHARACTER*1 MPI_ARGV_NULL(1)
      COMMON /WEFT_MPI_ARGV_NULL/ MPI_ARGV_NULL
      CHARACTER*1 MPI_ARGVS_NULL(1,1)
      COMMON /WEFT_MPI_ARGVS_NULL/ MPI_ARGVS_NULL
      EXTERNAL MPI_NULL_COPY_FN
      EXTERNAL MPI_DUP_FN
      EXTERNAL MPI_NULL_DELETE_FN
      EXTERNAL MPI_COMM_NULL_COPY_FN
      EXTERNAL MPI_COMM_DUP_FN
      EXTERNAL MPI_COMM_NULL_DELETE_FN
      EXTERNAL MPI_TYPE_NULL_COPY_FN
      EXTERNAL MPI_TYPE_DUP_FN
      EXTERNAL MPI_TYPE_NULL_DELETE_FN
      EXTERNAL MPI_WIN_NULL_COPY_FN
      EXTERNAL MPI_WIN_DUP_FN
      EXTERNAL MPI_WIN_NULL_DELETE_FN
interface
double precision function MPI_WTIME()
end function
double precision function MPI_WTICK()
end function
integer(kind=8) function MPI_AINT_ADD(a, b)
integer(kind=8), intent(in) :: a, b
end function
integer(kind=8) function MPI_AINT_DIFF(a, b)
integer(kind=8), intent(in) :: a, b
end function
double precision function PMPI_WTIME()
end function
double precision function PMPI_WTICK()
end function
integer(kind=8) function PMPI_AINT_ADD(a, b)
integer(kind=8), intent(in) :: a, b
end function
integer(kind=8) function PMPI_AINT_DIFF(a, b)
integer(kind=8), intent(in) :: a, b
end function
subroutine MPI_Accumulate(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Accumulate(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: ierror
end subroutine
subroutine MPI_Allgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Allgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Allgather_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Allgather_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Allgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Allgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Allgatherv_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Allgatherv_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Allreduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Allreduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Allreduce_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Allreduce_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Alltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Alltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Alltoall_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Alltoall_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Alltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Alltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Alltoallv_init(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Alltoallv_init(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Alltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Alltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Alltoallw_init(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Alltoallw_init(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Bcast(buffer, &
count, &
datatype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: count
integer :: datatype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Bcast(buffer, &
count, &
datatype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: count
integer :: datatype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Bcast_init(buffer, &
count, &
datatype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: count
integer :: datatype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Bcast_init(buffer, &
count, &
datatype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: count
integer :: datatype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Bsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Bsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Bsend_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Bsend_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Buffer_attach(buffer, &
size, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: size
integer :: ierror
end subroutine
subroutine PMPI_Buffer_attach(buffer, &
size, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: size
integer :: ierror
end subroutine
subroutine MPI_Comm_attach_buffer(comm, &
buffer, &
size, &
ierror)
integer :: comm
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: size
integer :: ierror
end subroutine
subroutine PMPI_Comm_attach_buffer(comm, &
buffer, &
size, &
ierror)
integer :: comm
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: size
integer :: ierror
end subroutine
subroutine MPI_Compare_and_swap(origin_addr, &
compare_addr, &
result_addr, &
datatype, &
target_rank, &
target_disp, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: compare_addr
!DIR$ IGNORE_TKR compare_addr
type(*) :: compare_addr(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Compare_and_swap(origin_addr, &
compare_addr, &
result_addr, &
datatype, &
target_rank, &
target_disp, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: compare_addr
!DIR$ IGNORE_TKR compare_addr
type(*) :: compare_addr(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: win
integer :: ierror
end subroutine
subroutine MPI_Exscan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Exscan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Exscan_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Exscan_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Fetch_and_op(origin_addr, &
result_addr, &
datatype, &
target_rank, &
target_disp, &
op, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: op
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Fetch_and_op(origin_addr, &
result_addr, &
datatype, &
target_rank, &
target_disp, &
op, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: op
integer :: win
integer :: ierror
end subroutine
subroutine MPI_File_iread(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iread(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iread_all(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iread_all(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iread_at(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iread_at(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iread_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iread_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iread_shared(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iread_shared(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iwrite(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iwrite(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iwrite_all(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iwrite_all(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iwrite_at(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iwrite_at(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iwrite_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iwrite_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_iwrite_shared(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_File_iwrite_shared(fh, &
buf, &
count, &
datatype, &
request, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: request
integer :: ierror
end subroutine
subroutine MPI_File_read(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_all(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_all(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_all_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_File_read_all_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_File_read_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_at(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_at(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_at_all_begin(fh, &
offset, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_File_read_at_all_begin(fh, &
offset, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_File_read_at_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_at_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_ordered(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_ordered(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_ordered_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_File_read_ordered_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_File_read_ordered_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_ordered_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_read_shared(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_read_shared(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_all(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_all(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_all_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_File_write_all_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_File_write_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_at(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_at(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_at_all(fh, &
offset, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_at_all_begin(fh, &
offset, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_File_write_at_all_begin(fh, &
offset, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
integer(kind=8) :: offset
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_File_write_at_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_at_all_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_ordered(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_ordered(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_ordered_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_File_write_ordered_begin(fh, &
buf, &
count, &
datatype, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_File_write_ordered_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_ordered_end(fh, &
buf, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_File_write_shared(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_File_write_shared(fh, &
buf, &
count, &
datatype, &
status, &
ierror)
integer :: fh
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_Free_mem(base, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer :: ierror
end subroutine
subroutine PMPI_Free_mem(base, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer :: ierror
end subroutine
subroutine MPI_Gather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Gather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Gather_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Gather_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Gatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Gatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Gatherv_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Gatherv_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Get(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Get(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: ierror
end subroutine
subroutine MPI_Get_accumulate(origin_addr, &
origin_count, &
origin_datatype, &
result_addr, &
result_count, &
result_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: result_count
integer :: result_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Get_accumulate(origin_addr, &
origin_count, &
origin_datatype, &
result_addr, &
result_count, &
result_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: result_count
integer :: result_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: ierror
end subroutine
subroutine MPI_Get_address(location, &
address, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: location
!DIR$ IGNORE_TKR location
type(*) :: location(*)
integer(kind=8) :: address
integer :: ierror
end subroutine
subroutine PMPI_Get_address(location, &
address, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: location
!DIR$ IGNORE_TKR location
type(*) :: location(*)
integer(kind=8) :: address
integer :: ierror
end subroutine
subroutine MPI_Iallgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iallgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Iallgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iallgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Iallreduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iallreduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ialltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ialltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ialltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ialltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ialltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ialltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ibcast(buffer, &
count, &
datatype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: count
integer :: datatype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ibcast(buffer, &
count, &
datatype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: count
integer :: datatype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ibsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ibsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Iexscan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iexscan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Igather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Igather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Igatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Igatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Imrecv(buf, &
count, &
datatype, &
message, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: message
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Imrecv(buf, &
count, &
datatype, &
message, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: message
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ineighbor_allgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ineighbor_allgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ineighbor_allgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ineighbor_allgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ineighbor_alltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ineighbor_alltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ineighbor_alltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ineighbor_alltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ineighbor_alltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer(kind=8) :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer(kind=8) :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ineighbor_alltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer(kind=8) :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer(kind=8) :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Irecv(buf, &
count, &
datatype, &
source, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: source
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Irecv(buf, &
count, &
datatype, &
source, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: source
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ireduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ireduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ireduce_scatter(sendbuf, &
recvbuf, &
recvcounts, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ireduce_scatter(sendbuf, &
recvbuf, &
recvcounts, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Ireduce_scatter_block(sendbuf, &
recvbuf, &
recvcount, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ireduce_scatter_block(sendbuf, &
recvbuf, &
recvcount, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Irsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Irsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Iscan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iscan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Iscatter(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iscatter(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Iscatterv(sendbuf, &
sendcounts, &
displs, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: displs(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Iscatterv(sendbuf, &
sendcounts, &
displs, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: displs(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Isend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Isend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Isendrecv(sendbuf, &
sendcount, &
sendtype, &
dest, &
sendtag, &
recvbuf, &
recvcount, &
recvtype, &
source, &
recvtag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
integer :: dest
integer :: sendtag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: source
integer :: recvtag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Isendrecv(sendbuf, &
sendcount, &
sendtype, &
dest, &
sendtag, &
recvbuf, &
recvcount, &
recvtype, &
source, &
recvtag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
integer :: dest
integer :: sendtag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: source
integer :: recvtag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Isendrecv_replace(buf, &
count, &
datatype, &
dest, &
sendtag, &
source, &
recvtag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: sendtag
integer :: source
integer :: recvtag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Isendrecv_replace(buf, &
count, &
datatype, &
dest, &
sendtag, &
source, &
recvtag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: sendtag
integer :: source
integer :: recvtag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Issend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Issend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Mrecv(buf, &
count, &
datatype, &
message, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: message
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_Mrecv(buf, &
count, &
datatype, &
message, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: message
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_Neighbor_allgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_allgather(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Neighbor_allgather_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_allgather_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Neighbor_allgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_allgatherv(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Neighbor_allgatherv_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_allgatherv_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcounts, &
displs, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: displs(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Neighbor_alltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_alltoall(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Neighbor_alltoall_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_alltoall_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Neighbor_alltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_alltoallv(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Neighbor_alltoallv_init(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_alltoallv_init(sendbuf, &
sendcounts, &
sdispls, &
sendtype, &
recvbuf, &
recvcounts, &
rdispls, &
recvtype, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: sdispls(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: rdispls(*)
integer :: recvtype
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Neighbor_alltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer(kind=8) :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer(kind=8) :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_alltoallw(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer(kind=8) :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer(kind=8) :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Neighbor_alltoallw_init(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer(kind=8) :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer(kind=8) :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Neighbor_alltoallw_init(sendbuf, &
sendcounts, &
sdispls, &
sendtypes, &
recvbuf, &
recvcounts, &
rdispls, &
recvtypes, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer(kind=8) :: sdispls(*)
integer :: sendtypes(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer(kind=8) :: rdispls(*)
integer :: recvtypes(*)
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Pack(inbuf, &
incount, &
datatype, &
outbuf, &
outsize, &
position, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer :: incount
integer :: datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer :: outsize
integer :: position
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Pack(inbuf, &
incount, &
datatype, &
outbuf, &
outsize, &
position, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer :: incount
integer :: datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer :: outsize
integer :: position
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Pack_external(datarep, &
inbuf, &
incount, &
datatype, &
outbuf, &
outsize, &
position, &
ierror)
character(len=*) :: datarep
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer :: incount
integer :: datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer(kind=8) :: outsize
integer(kind=8) :: position
integer :: ierror
end subroutine
subroutine PMPI_Pack_external(datarep, &
inbuf, &
incount, &
datatype, &
outbuf, &
outsize, &
position, &
ierror)
character(len=*) :: datarep
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer :: incount
integer :: datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer(kind=8) :: outsize
integer(kind=8) :: position
integer :: ierror
end subroutine
subroutine MPI_Precv_init(buf, &
partitions, &
count, &
datatype, &
dest, &
tag, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: partitions
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Precv_init(buf, &
partitions, &
count, &
datatype, &
dest, &
tag, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: partitions
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Psend_init(buf, &
partitions, &
count, &
datatype, &
dest, &
tag, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: partitions
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Psend_init(buf, &
partitions, &
count, &
datatype, &
dest, &
tag, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: partitions
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Put(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Put(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: ierror
end subroutine
subroutine MPI_Raccumulate(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Raccumulate(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Recv(buf, &
count, &
datatype, &
source, &
tag, &
comm, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: source
integer :: tag
integer :: comm
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_Recv(buf, &
count, &
datatype, &
source, &
tag, &
comm, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: source
integer :: tag
integer :: comm
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_Recv_init(buf, &
count, &
datatype, &
source, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: source
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Recv_init(buf, &
count, &
datatype, &
source, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: source
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Reduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Reduce(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Reduce_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Reduce_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Reduce_local(inbuf, &
inoutbuf, &
count, &
datatype, &
op, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inoutbuf
!DIR$ IGNORE_TKR inoutbuf
type(*) :: inoutbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: ierror
end subroutine
subroutine PMPI_Reduce_local(inbuf, &
inoutbuf, &
count, &
datatype, &
op, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inoutbuf
!DIR$ IGNORE_TKR inoutbuf
type(*) :: inoutbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: ierror
end subroutine
subroutine MPI_Reduce_scatter(sendbuf, &
recvbuf, &
recvcounts, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Reduce_scatter(sendbuf, &
recvbuf, &
recvcounts, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Reduce_scatter_block(sendbuf, &
recvbuf, &
recvcount, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Reduce_scatter_block(sendbuf, &
recvbuf, &
recvcount, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Reduce_scatter_block_init(sendbuf, &
recvbuf, &
recvcount, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Reduce_scatter_block_init(sendbuf, &
recvbuf, &
recvcount, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Reduce_scatter_init(sendbuf, &
recvbuf, &
recvcounts, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Reduce_scatter_init(sendbuf, &
recvbuf, &
recvcounts, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcounts(*)
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Rget(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Rget(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Rget_accumulate(origin_addr, &
origin_count, &
origin_datatype, &
result_addr, &
result_count, &
result_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: result_count
integer :: result_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Rget_accumulate(origin_addr, &
origin_count, &
origin_datatype, &
result_addr, &
result_count, &
result_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
op, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: result_addr
!DIR$ IGNORE_TKR result_addr
type(*) :: result_addr(*)
integer :: result_count
integer :: result_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: op
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Rput(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Rput(origin_addr, &
origin_count, &
origin_datatype, &
target_rank, &
target_disp, &
target_count, &
target_datatype, &
win, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: origin_addr
!DIR$ IGNORE_TKR origin_addr
type(*) :: origin_addr(*)
integer :: origin_count
integer :: origin_datatype
integer :: target_rank
integer(kind=8) :: target_disp
integer :: target_count
integer :: target_datatype
integer :: win
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Rsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Rsend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Rsend_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Rsend_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Scan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Scan(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Scan_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Scan_init(sendbuf, &
recvbuf, &
count, &
datatype, &
op, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: count
integer :: datatype
integer :: op
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Scatter(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Scatter(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Scatter_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Scatter_init(sendbuf, &
sendcount, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Scatterv(sendbuf, &
sendcounts, &
displs, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: displs(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Scatterv(sendbuf, &
sendcounts, &
displs, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: displs(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Scatterv_init(sendbuf, &
sendcounts, &
displs, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: displs(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Scatterv_init(sendbuf, &
sendcounts, &
displs, &
sendtype, &
recvbuf, &
recvcount, &
recvtype, &
root, &
comm, &
info, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcounts(*)
integer :: displs(*)
integer :: sendtype
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: root
integer :: comm
integer :: info
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Send(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Send(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Send_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Send_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Sendrecv(sendbuf, &
sendcount, &
sendtype, &
dest, &
sendtag, &
recvbuf, &
recvcount, &
recvtype, &
source, &
recvtag, &
comm, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
integer :: dest
integer :: sendtag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: source
integer :: recvtag
integer :: comm
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_Sendrecv(sendbuf, &
sendcount, &
sendtype, &
dest, &
sendtag, &
recvbuf, &
recvcount, &
recvtype, &
source, &
recvtag, &
comm, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
!DIR$ IGNORE_TKR sendbuf
type(*) :: sendbuf(*)
integer :: sendcount
integer :: sendtype
integer :: dest
integer :: sendtag
!GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
!DIR$ IGNORE_TKR recvbuf
type(*) :: recvbuf(*)
integer :: recvcount
integer :: recvtype
integer :: source
integer :: recvtag
integer :: comm
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_Sendrecv_replace(buf, &
count, &
datatype, &
dest, &
sendtag, &
source, &
recvtag, &
comm, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: sendtag
integer :: source
integer :: recvtag
integer :: comm
integer :: status(*)
integer :: ierror
end subroutine
subroutine PMPI_Sendrecv_replace(buf, &
count, &
datatype, &
dest, &
sendtag, &
source, &
recvtag, &
comm, &
status, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: sendtag
integer :: source
integer :: recvtag
integer :: comm
integer :: status(*)
integer :: ierror
end subroutine
subroutine MPI_Session_attach_buffer(session, &
buffer, &
size, &
ierror)
integer :: session
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: size
integer :: ierror
end subroutine
subroutine PMPI_Session_attach_buffer(session, &
buffer, &
size, &
ierror)
integer :: session
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
!DIR$ IGNORE_TKR buffer
type(*) :: buffer(*)
integer :: size
integer :: ierror
end subroutine
subroutine MPI_Ssend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Ssend(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Ssend_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine PMPI_Ssend_init(buf, &
count, &
datatype, &
dest, &
tag, &
comm, &
request, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$ IGNORE_TKR buf
type(*) :: buf(*)
integer :: count
integer :: datatype
integer :: dest
integer :: tag
integer :: comm
integer :: request
integer :: ierror
end subroutine
subroutine MPI_Unpack(inbuf, &
insize, &
position, &
outbuf, &
outcount, &
datatype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer :: insize
integer :: position
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer :: outcount
integer :: datatype
integer :: comm
integer :: ierror
end subroutine
subroutine PMPI_Unpack(inbuf, &
insize, &
position, &
outbuf, &
outcount, &
datatype, &
comm, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer :: insize
integer :: position
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer :: outcount
integer :: datatype
integer :: comm
integer :: ierror
end subroutine
subroutine MPI_Unpack_external(datarep, &
inbuf, &
insize, &
position, &
outbuf, &
outcount, &
datatype, &
ierror)
character(len=*) :: datarep(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer(kind=8) :: insize
integer(kind=8) :: position
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer :: outcount
integer :: datatype
integer :: ierror
end subroutine
subroutine PMPI_Unpack_external(datarep, &
inbuf, &
insize, &
position, &
outbuf, &
outcount, &
datatype, &
ierror)
character(len=*) :: datarep(*)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf
!DIR$ IGNORE_TKR inbuf
type(*) :: inbuf(*)
integer(kind=8) :: insize
integer(kind=8) :: position
!GCC$ ATTRIBUTES NO_ARG_CHECK :: outbuf
!DIR$ IGNORE_TKR outbuf
type(*) :: outbuf(*)
integer :: outcount
integer :: datatype
integer :: ierror
end subroutine
subroutine MPI_Win_attach(win, &
base, &
size, &
ierror)
integer :: win
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer(kind=8) :: size
integer :: ierror
end subroutine
subroutine PMPI_Win_attach(win, &
base, &
size, &
ierror)
integer :: win
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer(kind=8) :: size
integer :: ierror
end subroutine
subroutine MPI_Win_create(base, &
size, &
disp_unit, &
info, &
comm, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer(kind=8) :: size
integer :: disp_unit
integer :: info
integer :: comm
integer :: win
integer :: ierror
end subroutine
subroutine PMPI_Win_create(base, &
size, &
disp_unit, &
info, &
comm, &
win, &
ierror)
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer(kind=8) :: size
integer :: disp_unit
integer :: info
integer :: comm
integer :: win
integer :: ierror
end subroutine
subroutine MPI_Win_detach(win, &
base, &
ierror)
integer :: win
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer :: ierror
end subroutine
subroutine PMPI_Win_detach(win, &
base, &
ierror)
integer :: win
!GCC$ ATTRIBUTES NO_ARG_CHECK :: base
!DIR$ IGNORE_TKR base
type(*) :: base(*)
integer :: ierror
end subroutine
end interface
end module
