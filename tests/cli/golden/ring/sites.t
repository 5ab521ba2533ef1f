# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# Where are the copies of critical_enter()? A copy may have several ranges of code.
$ inlinecall critical_enter ring
/src/ring.h:10
	[0x4010a7 - 0x4010ad]	/src/ring.h:18:2	queue_send_twice()
	[0x4010b0 - 0x4010c1]	/src/ring.h:18:2	queue_send_twice()	same copy, entry 0x4010b0
	[0x401020 - 0x40102f]	/src/ring.h:18:2	queue_send_twice.cold()	same copy
	[0x401053 - 0x40106a]	/src/ring.h:18:2	queue_send()
	[0x401011 - 0x401020]	/src/ring.h:18:2	queue_send.cold()	same copy

# It was inlined into ring_put(), which was inlined in turn: innermost caller first.
$ inlinecall -i critical_enter ring
/src/ring.h:10
	[0x4010a7 - 0x4010ad]	/src/ring.h:18:2	ring_put() < queue_send_twice() /src/ring.c:23:30
	[0x4010b0 - 0x4010c1]	/src/ring.h:18:2	ring_put() < queue_send_twice() /src/ring.c:23:30	same copy, entry 0x4010b0
	[0x401020 - 0x40102f]	/src/ring.h:18:2	ring_put() < queue_send_twice.cold() /src/ring.c:23:30	same copy
	[0x401053 - 0x40106a]	/src/ring.h:18:2	ring_put() < queue_send() /src/ring.c:17:9
	[0x401011 - 0x401020]	/src/ring.h:18:2	ring_put() < queue_send.cold() /src/ring.c:17:9	same copy

# The address to probe in each copy, and the symbol and offset that perf probe takes.
$ inlinecall -e critical_enter ring
/src/ring.h:10
	0x4010b0	queue_send_twice+0x10	/src/ring.h:18:2	queue_send_twice()
	0x401053	queue_send+0x13	/src/ring.h:18:2	queue_send()

# Where the arguments are when a copy is entered, and all that is said of it.
$ inlinecall -p ring_put ring
/src/ring.h:16
	[0x4010a7 - 0x4010ad]	/src/ring.c:23:30	queue_send_twice()
	[0x4010b0 - 0x4010e7]	/src/ring.c:23:30	queue_send_twice()	same copy, entry 0x4010b0
	[0x4010e9 - 0x4010ef]	/src/ring.c:23:30	queue_send_twice()	same copy
	[0x401020 - 0x40102f]	/src/ring.c:23:30	queue_send_twice.cold()	same copy
		ring=&0x403020, item=%rsi
	[0x401053 - 0x401096]	/src/ring.c:17:9	queue_send()
	[0x401011 - 0x401020]	/src/ring.c:17:9	queue_send.cold()	same copy
		ring=&0x403020, item=%rdi
$ inlinecall -pp -s ring_put ring
ring.h:16
	[0x4010a7 - 0x4010ad]	ring.c:23:30	queue_send_twice()
	[0x4010b0 - 0x4010e7]	ring.c:23:30	queue_send_twice()	same copy, entry 0x4010b0
	[0x4010e9 - 0x4010ef]	ring.c:23:30	queue_send_twice()	same copy
	[0x401020 - 0x40102f]	ring.c:23:30	queue_send_twice.cold()	same copy
		ring	struct ring *	&0x403020
			[0x4010b0 - 0x4010ef]	DW_OP_addr 0x403020, DW_OP_stack_value
			[0x4010f0 - 0x4010f0]	DW_OP_addr 0x403020, DW_OP_stack_value
			[0x401020 - 0x40102f]	DW_OP_addr 0x403020, DW_OP_stack_value
		item	int	%rsi
			[0x4010b0 - 0x4010ef]	DW_OP_reg4 rsi
			[0x4010f0 - 0x4010f0]	DW_OP_reg4 rsi
			[0x401020 - 0x40102f]	DW_OP_reg4 rsi
	[0x401053 - 0x401096]	ring.c:17:9	queue_send()
	[0x401011 - 0x401020]	ring.c:17:9	queue_send.cold()	same copy
		ring	struct ring *	&0x403020
			[0x401053 view 1 - 0x401096]	DW_OP_addr 0x403020, DW_OP_stack_value
			[0x401011 - 0x401020]	DW_OP_addr 0x403020, DW_OP_stack_value
		item	int	%rdi
			[0x401053 view 1 - 0x40106a]	DW_OP_reg5 rdi
			[0x40106a - 0x40108d]	DW_OP_reg0 rax
			[0x40108d - 0x401090]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[0x401090 - 0x401096]	DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[0x401011 - 0x401020]	DW_OP_reg0 rax
$ inlinecall -ep checksum ring
/src/ring.h:23
	0x401040	queue_send+0x0	/src/ring.c:15:6	queue_send()
		packet=%rdi
$ inlinecall -p critical_enter ring.o
/src/ring.h:10
	[.text+0x77 - .text+0x7d]	/src/ring.h:18:2	queue_send_twice()
	[.text+0x80 - .text+0x91]	/src/ring.h:18:2	queue_send_twice()	same copy, entry .text+0x80
	[.text.unlikely+0x20 - .text.unlikely+0x2f]	/src/ring.h:18:2	queue_send_twice.cold()	same copy
		no parameters
	[.text+0x23 - .text+0x3a]	/src/ring.h:18:2	queue_send()
	[.text.unlikely+0x11 - .text.unlikely+0x20]	/src/ring.h:18:2	queue_send.cold()	same copy
		no parameters
$ inlinecall -p --json checksum ring
{"type":"site","file":"ring","function":"checksum","linkage_name":null,"decl_file":"/src/ring.h","decl_line":23,"call_file":"/src/ring.c","call_line":15,"call_column":6,"ranges":[["0x401040","0x401046"],["0x401048","0x40104a"]],"section":null,"entry":"0x401040","host":"queue_send","symbol":"queue_send","chain":[],"unit":"ring.c","die":"0x179","die_file":null,"entry_symbol":"queue_send","entry_offset":0,"part":false,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null,"known_from":null,"known_section":null}}]}
$ inlinecall -pp --json checksum ring
{"type":"site","file":"ring","function":"checksum","linkage_name":null,"decl_file":"/src/ring.h","decl_line":23,"call_file":"/src/ring.c","call_line":15,"call_column":6,"ranges":[["0x401040","0x401046"],["0x401048","0x40104a"]],"section":null,"entry":"0x401040","host":"queue_send","symbol":"queue_send","chain":[],"unit":"ring.c","die":"0x179","die_file":null,"entry_symbol":"queue_send","entry_offset":0,"part":false,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null,"known_from":null,"known_section":null},"list":[{"start":"0x401040","end":"0x401046","section":null,"start_view":2,"end_view":0,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null},"expression":"DW_OP_reg5 rdi"}]}]}
$ inlinecall -p --csv checksum ring
2> inlinecall: -p cannot be used with --csv; use --json
2> Try 'inlinecall --help' for the options.
[64]
$ inlinecall -p --count checksum ring
2> inlinecall: --count does not print sites, so -p has no effect
2> Try 'inlinecall --help' for the options.
[64]

# A line a function, those with the most copies first.
$ inlinecall --count -a ring
INLINED	    OUT	  CALLS	  BYTES	FUNCTION	PLACE
      2	      0	      0	    164	ring_put()	/src/ring.h:16
      2	      0	      0	     76	critical_enter()	/src/ring.h:10
      1	      1	      0	      8	checksum()	/src/ring.h:23
$ inlinecall --count --json checksum ring
{"type":"function","file":"ring","function":"checksum","linkage_name":null,"decl_file":"/src/ring.h","decl_line":23,"inlined":1,"without_code":0,"out_of_line":1,"calls":0,"bytes":8}

# A function that was inlined at one place and kept out of line as well.
$ inlinecall -o checksum ring
/src/ring.h:23
	[0x401040 - 0x401046]	/src/ring.c:15:6	queue_send()
	[0x401048 - 0x40104a]	/src/ring.c:15:6	queue_send()	same copy
	[0x401030 - 0x401040]	-	checksum()	out of line

# Calls that were not inlined: what is known of them is where they return to.
$ inlinecall -c device_reset ring
/src/ring.c:8
	[? - 0x40102a]	/src/ring.h:13:3	queue_send_twice.cold()	call
	[? - 0x40101b]	/src/ring.h:13:3	queue_send.cold()	call
	[? - 0x40100c]	/src/ring.c:16:3	queue_send.cold()	call

$ inlinecall -c -s -f ring.h device_reset ring
ring.c:8
	[? - 0x40102a]	ring.h:13:3	queue_send_twice.cold()	call
	[? - 0x40101b]	ring.h:13:3	queue_send.cold()	call

# Everything at once, in the order of the file.
$ inlinecall -a -o -c -i -s ring
ring.h:23
	[0x401040 - 0x401046]	ring.c:15:6	queue_send()
	[0x401048 - 0x40104a]	ring.c:15:6	queue_send()	same copy
	[0x401030 - 0x401040]	-	checksum()	out of line
ring.h:16
	[0x4010a7 - 0x4010ad]	ring.c:23:30	queue_send_twice()
	[0x4010b0 - 0x4010e7]	ring.c:23:30	queue_send_twice()	same copy, entry 0x4010b0
	[0x4010e9 - 0x4010ef]	ring.c:23:30	queue_send_twice()	same copy
	[0x401020 - 0x40102f]	ring.c:23:30	queue_send_twice.cold()	same copy
	[0x401053 - 0x401096]	ring.c:17:9	queue_send()
	[0x401011 - 0x401020]	ring.c:17:9	queue_send.cold()	same copy
ring.h:10
	[0x4010a7 - 0x4010ad]	ring.h:18:2	ring_put() < queue_send_twice() ring.c:23:30
	[0x4010b0 - 0x4010c1]	ring.h:18:2	ring_put() < queue_send_twice() ring.c:23:30	same copy, entry 0x4010b0
	[0x401020 - 0x40102f]	ring.h:18:2	ring_put() < queue_send_twice.cold() ring.c:23:30	same copy
	[0x401053 - 0x40106a]	ring.h:18:2	ring_put() < queue_send() ring.c:17:9
	[0x401011 - 0x401020]	ring.h:18:2	ring_put() < queue_send.cold() ring.c:17:9	same copy

# Only the calls in some source files.
$ inlinecall -a -f '*.c' ring
/src/ring.h:23
	[0x401040 - 0x401046]	/src/ring.c:15:6	queue_send()
	[0x401048 - 0x40104a]	/src/ring.c:15:6	queue_send()	same copy
/src/ring.h:16
	[0x4010a7 - 0x4010ad]	/src/ring.c:23:30	queue_send_twice()
	[0x4010b0 - 0x4010e7]	/src/ring.c:23:30	queue_send_twice()	same copy, entry 0x4010b0
	[0x4010e9 - 0x4010ef]	/src/ring.c:23:30	queue_send_twice()	same copy
	[0x401020 - 0x40102f]	/src/ring.c:23:30	queue_send_twice.cold()	same copy
	[0x401053 - 0x401096]	/src/ring.c:17:9	queue_send()
	[0x401011 - 0x401020]	/src/ring.c:17:9	queue_send.cold()	same copy

# In a relocatable file every section begins at 0, so the section belongs to the address.
$ inlinecall -s critical_enter ring.o
ring.h:10
	[.text+0x77 - .text+0x7d]	ring.h:18:2	queue_send_twice()
	[.text+0x80 - .text+0x91]	ring.h:18:2	queue_send_twice()	same copy, entry .text+0x80
	[.text.unlikely+0x20 - .text.unlikely+0x2f]	ring.h:18:2	queue_send_twice.cold()	same copy
	[.text+0x23 - .text+0x3a]	ring.h:18:2	queue_send()
	[.text.unlikely+0x11 - .text.unlikely+0x20]	ring.h:18:2	queue_send.cold()	same copy

# The same as data: every copy is one object.
$ inlinecall --json checksum ring.o
{"type":"site","file":"ring.o","function":"checksum","linkage_name":null,"decl_file":"/src/ring.h","decl_line":23,"call_file":"/src/ring.c","call_line":15,"call_column":6,"ranges":[["0x10","0x16"],["0x18","0x1a"]],"section":".text","entry":"0x10","host":"queue_send","symbol":"queue_send","chain":[],"unit":"ring.c","die":"0x179","die_file":null,"entry_symbol":"queue_send","entry_offset":0,"part":false}

$ inlinecall --csv -s -o checksum ring.o
type,file,function,linkage_name,decl_file,decl_line,call_file,call_line,call_column,ranges,section,entry,host,symbol,chain,unit,die,die_file,entry_symbol,entry_offset,part,return,tail
site,ring.o,checksum,,ring.h,23,ring.c,15,6,0x10-0x16 0x18-0x1a,.text,0x10,queue_send,queue_send,,ring.c,0x179,,queue_send,0,false,,
copy,ring.o,checksum,,ring.h,23,,,,0x0-0x10,.text,0x0,checksum,checksum,,ring.c,0x2a8,,checksum,0,false,,

# Several files: each has its name above its sites. Where there are none, there is no name.
$ inlinecall -s checksum ring ring.o
ring:
ring.h:23
	[0x401040 - 0x401046]	ring.c:15:6	queue_send()
	[0x401048 - 0x40104a]	ring.c:15:6	queue_send()	same copy
ring.o:
ring.h:23
	[.text+0x10 - .text+0x16]	ring.c:15:6	queue_send()
	[.text+0x18 - .text+0x1a]	ring.c:15:6	queue_send()	same copy

# Why there is no answer.
$ inlinecall critical_entre ring
2> inlinecall: ring: no function named 'critical_entre'; similar name: critical_enter
[1]

$ inlinecall queue_send_twice ring
2> inlinecall: ring: queue_send_twice: never inlined (declared at /src/ring.c:20); -o lists its out-of-line code
[1]

$ inlinecall -f ring.c critical_enter ring
2> inlinecall: ring: critical_enter: inlined 2 times (declared at /src/ring.h:10), but never in source files that match 'ring.c'
[1]

$ inlinecall nothing_like_it ring ring.o
2> inlinecall: nothing_like_it: no call site in any of 2 files
[1]

$ inlinecall checksum ring.s
2> inlinecall: ring.s: not an ELF file
[2]

# Why there is no question.
$ inlinecall -g -r checksum ring
2> inlinecall: -g and -r cannot be used together
2> Try 'inlinecall --help' for the options.
[64]
