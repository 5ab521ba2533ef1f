# What became of functions of the program of sites.t.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# One that has code of its own, and was inlined: both are to be probed.
$ inlinecall why checksum ring
checksum() at /src/ring.h:23: partly inlined
  1 inlined copy in 1 function, 8 bytes.
  Probe here for calls that were not inlined:
	0x401030	checksum
		packet=%rdi
  Probe here for the inlined copies:
	0x401040	queue_send+0x0	/src/ring.c:15:6
		packet=%rdi
$ inlinecall why -s checksum ring
checksum() at ring.h:23: partly inlined
  1 inlined copy in 1 function, 8 bytes.
  Probe here for calls that were not inlined:
	0x401030	checksum
		packet=%rdi
  Probe here for the inlined copies:
	0x401040	queue_send+0x0	ring.c:15:6
		packet=%rdi
$ inlinecall why -s checksum ring.o
checksum() at ring.h:23: partly inlined
  1 inlined copy in 1 function, 8 bytes.
  Probe here for calls that were not inlined:
	.text+0x0	checksum
		packet=%rdi
  Probe here for the inlined copies:
	.text+0x10	queue_send+0x0	ring.c:15:6
		packet=%rdi
2> inlinecall: ring.o: for 2 of 2 copies, calls may be missing: the file is not linked, so the targets of jumps are unknown

# One that has no symbol, and one that was never inlined.
$ inlinecall why -s --function=ring_put --function=queue_send ring
ring_put() at ring.h:16: fully inlined
  2 inlined copies in 2 functions, 164 bytes.
  It has no code of its own.
  Probe here for the inlined copies:
	0x4010b0	queue_send_twice+0x10	ring.c:23:30
		ring=&0x403020, item=%rsi
	0x401053	queue_send+0x13	ring.c:17:9
		ring=&0x403020, item=%rdi
queue_send() at ring.c:13: never inlined
  Probe here for calls (1 known):
	0x401040	queue_send
		packet=%rdi

# A variable is no function.
$ inlinecall why -s pending ring
2> inlinecall: ring: no function named 'pending'
[1]

# The same for programs.
$ inlinecall why --json -s queue_send ring
{"type":"verdict","file":"ring","function":"queue_send","linkage_name":null,"decl_file":"ring.c","decl_line":13,"verdict":"never","inlined":"never","declared_inline":false,"copies":0,"without_code":0,"callers":0,"bytes":0,"left_out":0,"calls":1,"entered":0,"doubtful":0,"doubts_why_not":null,"code":[{"kind":"entry","address":"0x401040","section":null,"symbol":"queue_send","offset":0,"bytes":87,"ambiguous":false,"described":true,"call_file":null,"call_line":null,"call_column":null,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null,"known_from":null,"known_section":null}}]}],"entries":[],"others":[]}
$ inlinecall why --csv -s --function=checksum --function=ring_put ring
type,file,function,linkage_name,decl_file,decl_line,verdict,inlined,declared_inline,copies,without_code,callers,bytes,left_out,calls,entered,doubtful,doubts_why_not
verdict,ring,checksum,,ring.h,23,partly,partly,true,1,0,1,8,0,0,1,0,
verdict,ring,ring_put,,ring.h,16,fully,fully,true,2,0,2,164,0,0,2,0,

# What is not there.
$ inlinecall why checksun ring
2> inlinecall: ring: no function named 'checksun'; similar name: checksum
[1]
