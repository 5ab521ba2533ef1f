# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# checksum() was inlined into queue_send(): innermost first. Nothing is at 0x1.
$ inlinecall addr -s ring 0x401040 0x1
0x401040	checksum()	ring.h:25:21	inlined
	queue_send()	ring.c:15:6
0x1	??

# An address is hexadecimal, with or without 0x; or an offset in a section or from a symbol.
$ inlinecall addr -s ring 401053 .text+0x53 queue_send+0x13 queue_send+0x13/0x57 queue_send+0x13/0x60
0x401053	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9
.text+0x53	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9
0x401053	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9
0x401053	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9
0x401053	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9

# A cold copy is far from the rest of its function.
$ inlinecall addr -s ring 0x401025
0x401025	critical_enter()	ring.h:13:3	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send_twice()	ring.c:23:30

# 0x4010a7 is where a call returns to: the call itself is before what was inlined there.
$ inlinecall addr -s ring 0x4010a7
0x4010a7	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send_twice()	ring.c:23:30
$ inlinecall addr -s -R ring 0x4010a7
0x4010a7	queue_send_twice()	ring.c:23:9

# Where the arguments are at the address: item moves from %rdi to %rax on the way.
$ inlinecall addr -s -p ring 0x401053 0x401080
0x401053	critical_enter()	ring.h:12:30	inlined
		no parameters
	ring_put()	ring.h:18:2	inlined
		ring=&0x403020, item=%rdi
	queue_send()	ring.c:17:9
		packet=%rdi
0x401080	ring_put()	ring.h:19:33	inlined
		ring=&0x403020, item=%rax
	queue_send()	ring.c:17:9
		packet=%rax
$ inlinecall addr -s -p ring 0x401096 0x1
0x401096	queue_send()	ring.c:18:1
		packet=computed
0x1	??

$ inlinecall addr -s -pp ring.o .text+0x50
.text+0x50	ring_put()	ring.h:19:33	inlined
		ring	struct ring *	&0x10e0
			[.text+0x23 view 1 - .text+0x66]	DW_OP_addr 0x10e0, DW_OP_stack_value
			[.text.unlikely+0x11 - .text.unlikely+0x20]	DW_OP_addr 0x10e0, DW_OP_stack_value
		item	int	%rax
			[.text+0x23 view 1 - .text+0x3a]	DW_OP_reg5 rdi
			[.text+0x3a - .text+0x5d]	DW_OP_reg0 rax
			[.text+0x5d - .text+0x60]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text+0x60 - .text+0x66]	DW_OP_addr 0x10e0, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text.unlikely+0x11 - .text.unlikely+0x20]	DW_OP_reg0 rax
	queue_send()	ring.c:17:9
		packet	int	%rax
			[.text+0x10 - .text+0x3a]	DW_OP_reg5 rdi
			[.text+0x3a - .text+0x5d]	DW_OP_reg0 rax
			[.text+0x5d - .text+0x60]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text+0x60 - .text+0x67]	DW_OP_addr 0x10e0, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text+0x67 - .text+0x67]	DW_OP_reg0 rax
			[.text.unlikely+0x7 - .text.unlikely+0x20]	DW_OP_reg0 rax

# At the call that returns there.
$ inlinecall addr -s -p -R ring 0x4010a7
0x4010a7	queue_send_twice()	ring.c:23:9
		packet=%rsi

# Addresses in memory are those of the lists too.
$ inlinecall addr -s -pp --base=0x10000000 ring 0x10001080
0x10001080	ring_put()	ring.h:19:33	inlined
		ring	struct ring *	&0x403020
			[0x10001053 view 1 - 0x10001096]	DW_OP_addr 0x403020, DW_OP_stack_value
			[0x10001011 - 0x10001020]	DW_OP_addr 0x403020, DW_OP_stack_value
		item	int	%rax
			[0x10001053 view 1 - 0x1000106a]	DW_OP_reg5 rdi
			[0x1000106a - 0x1000108d]	DW_OP_reg0 rax
			[0x1000108d - 0x10001090]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[0x10001090 - 0x10001096]	DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[0x10001011 - 0x10001020]	DW_OP_reg0 rax
	queue_send()	ring.c:17:9
		packet	int	%rax
			[0x10001040 - 0x1000106a]	DW_OP_reg5 rdi
			[0x1000106a - 0x1000108d]	DW_OP_reg0 rax
			[0x1000108d - 0x10001090]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[0x10001090 - 0x10001097]	DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[0x10001097 - 0x10001097]	DW_OP_reg0 rax
			[0x10001007 - 0x10001020]	DW_OP_reg0 rax

$ inlinecall addr -p --json ring 0x401080 0x1 x
{"type":"stack","file":"ring","address":"0x401080","section":null,"frames":[{"function":"ring_put","linkage_name":null,"file":"/src/ring.h","line":19,"column":33,"discriminator":0,"inlined":true,"variadic":false,"params":[{"name":"ring","type":"struct ring *","size":8,"encoding":"pointer","signed":false,"artificial":false,"result":false,"location":{"kind":"address","text":"&0x403020","reason":null,"register":null,"offset":null,"value":"0x403020","known_from":null,"known_section":null}},{"name":"item","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null,"known_from":null,"known_section":null}}]},{"function":"queue_send","linkage_name":null,"file":"/src/ring.c","line":17,"column":9,"discriminator":0,"inlined":false,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null,"known_from":null,"known_section":null}}]}],"symbol":"queue_send","symbol_offset":64,"symbol_size":87,"input":null}
{"type":"stack","file":"ring","address":"0x1","section":null,"frames":[],"symbol":null,"symbol_offset":null,"symbol_size":null,"input":null}
{"type":"stack","file":"ring","address":null,"section":null,"frames":[],"symbol":null,"symbol_offset":null,"symbol_size":null,"input":"x"}
2> inlinecall: ring: 'x': no symbol or section is called x; if it was inlined, 'inlinecall sites' lists its copies
$ inlinecall addr -pp --json ring 0x401080
{"type":"stack","file":"ring","address":"0x401080","section":null,"frames":[{"function":"ring_put","linkage_name":null,"file":"/src/ring.h","line":19,"column":33,"discriminator":0,"inlined":true,"variadic":false,"params":[{"name":"ring","type":"struct ring *","size":8,"encoding":"pointer","signed":false,"artificial":false,"result":false,"location":{"kind":"address","text":"&0x403020","reason":null,"register":null,"offset":null,"value":"0x403020","known_from":null,"known_section":null},"list":[{"start":"0x401053","end":"0x401096","section":null,"start_view":1,"end_view":0,"location":{"kind":"address","text":"&0x403020","reason":null,"register":null,"offset":null,"value":"0x403020"},"expression":"DW_OP_addr 0x403020, DW_OP_stack_value"},{"start":"0x401011","end":"0x401020","section":null,"start_view":0,"end_view":0,"location":{"kind":"address","text":"&0x403020","reason":null,"register":null,"offset":null,"value":"0x403020"},"expression":"DW_OP_addr 0x403020, DW_OP_stack_value"}]},{"name":"item","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null,"known_from":null,"known_section":null},"list":[{"start":"0x401053","end":"0x40106a","section":null,"start_view":1,"end_view":0,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null},"expression":"DW_OP_reg5 rdi"},{"start":"0x40106a","end":"0x40108d","section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null},"expression":"DW_OP_reg0 rax"},{"start":"0x40108d","end":"0x401090","section":null,"start_view":0,"end_view":0,"location":{"kind":"computed","text":"computed: DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4","reason":null,"register":null,"offset":null,"value":null},"expression":"DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4"},{"start":"0x401090","end":"0x401096","section":null,"start_view":0,"end_view":0,"location":{"kind":"computed","text":"computed: DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4","reason":null,"register":null,"offset":null,"value":null},"expression":"DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4"},{"start":"0x401011","end":"0x401020","section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null},"expression":"DW_OP_reg0 rax"}]}]},{"function":"queue_send","linkage_name":null,"file":"/src/ring.c","line":17,"column":9,"discriminator":0,"inlined":false,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null,"known_from":null,"known_section":null},"list":[{"start":"0x401040","end":"0x40106a","section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null},"expression":"DW_OP_reg5 rdi"},{"start":"0x40106a","end":"0x40108d","section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null},"expression":"DW_OP_reg0 rax"},{"start":"0x40108d","end":"0x401090","section":null,"start_view":0,"end_view":0,"location":{"kind":"computed","text":"computed: DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4","reason":null,"register":null,"offset":null,"value":null},"expression":"DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4"},{"start":"0x401090","end":"0x401097","section":null,"start_view":0,"end_view":0,"location":{"kind":"computed","text":"computed: DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4","reason":null,"register":null,"offset":null,"value":null},"expression":"DW_OP_addr 0x403020, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4"},{"start":"0x401097","end":"0x401097","section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null},"expression":"DW_OP_reg0 rax"},{"start":"0x401007","end":"0x401020","section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rax","reason":null,"register":"rax","offset":0,"value":null},"expression":"DW_OP_reg0 rax"}]}]}],"symbol":"queue_send","symbol_offset":64,"symbol_size":87,"input":null}

# A symbol says nothing of parameters.
$ strip -g -o bare ring; inlinecall addr -p bare 0x401080; inlinecall addr -p --json bare 0x401080
0x401080	queue_send()	??:0
{"type":"stack","file":"bare","address":"0x401080","section":null,"frames":[{"function":"queue_send","linkage_name":"queue_send","file":null,"line":0,"column":0,"discriminator":0,"inlined":false,"variadic":false,"params":null}],"symbol":"queue_send","symbol_offset":64,"symbol_size":87,"input":null}
2> inlinecall: bare: no .debug_info (was it compiled with -g?), and no build ID or .gnu_debuglink to find a debug file
2> inlinecall: bare: no .debug_info (was it compiled with -g?), and no build ID or .gnu_debuglink to find a debug file
[2]

$ inlinecall addr -p --csv ring 0x401080
2> inlinecall: -p cannot be used with --csv; use --json
2> Try 'inlinecall addr --help' for the options.
[64]
$ inlinecall addr -p --filter ring
2> inlinecall: --filter does not print parameters, so -p has no effect
2> Try 'inlinecall addr --help' for the options.
[64]

# From standard input, one answer a line, whatever the line is.
$ printf '0x401030\n\n  0x2 \nnowhere+0x3\nqueue_send+0x99\n' | inlinecall addr -s ring
0x401030	checksum()	ring.h:25:16
??	??
0x2	??
nowhere+0x3	??
queue_send+0x99	??
2> inlinecall: ring: '': empty line
2> inlinecall: ring: 'nowhere+0x3': no symbol or section is called nowhere; if it was inlined, 'inlinecall sites' lists its copies
2> inlinecall: ring: 'queue_send+0x99': queue_send ends before that offset: 0x401040 (0x57 bytes)
[2]

# Everything that is known.
$ inlinecall addr --json ring 0x401053 0x1 x
{"type":"stack","file":"ring","address":"0x401053","section":null,"frames":[{"function":"critical_enter","linkage_name":null,"file":"/src/ring.h","line":12,"column":30,"discriminator":0,"inlined":true},{"function":"ring_put","linkage_name":null,"file":"/src/ring.h","line":18,"column":2,"discriminator":0,"inlined":true},{"function":"queue_send","linkage_name":null,"file":"/src/ring.c","line":17,"column":9,"discriminator":0,"inlined":false}],"symbol":"queue_send","symbol_offset":19,"symbol_size":87,"input":null}
{"type":"stack","file":"ring","address":"0x1","section":null,"frames":[],"symbol":null,"symbol_offset":null,"symbol_size":null,"input":null}
{"type":"stack","file":"ring","address":null,"section":null,"frames":[],"symbol":null,"symbol_offset":null,"symbol_size":null,"input":"x"}
2> inlinecall: ring: 'x': no symbol or section is called x; if it was inlined, 'inlinecall sites' lists its copies

# In an object the sections all begin at 0, so a number alone says too little.
$ inlinecall addr -s ring.o .text+0x12 .text.unlikely+0x1 queue_send 0x12
.text+0x12	checksum()	ring.h:25:21	inlined
	queue_send()	ring.c:15:6
.text.unlikely+0x1	device_reset()	ring.c:10:10
.text+0x10	checksum()	ring.h:25:21	inlined
	queue_send()	ring.c:15:6
0x12	??
2> inlinecall: ring.o: '0x12': ambiguous offset: there are 2 sections; use .text+0x12 or --section=.text
[2]
$ inlinecall addr -s --section=.text ring.o 0x12 0x5000
.text+0x12	checksum()	ring.h:25:21	inlined
	queue_send()	ring.c:15:6
.text+0x5000	??
$ inlinecall addr --json ring.o .text+0x12
{"type":"stack","file":"ring.o","address":"0x12","section":".text","frames":[{"function":"checksum","linkage_name":null,"file":"/src/ring.h","line":25,"column":21,"discriminator":0,"inlined":true},{"function":"queue_send","linkage_name":null,"file":"/src/ring.c","line":15,"column":6,"discriminator":0,"inlined":false}],"symbol":"queue_send","symbol_offset":2,"symbol_size":87,"input":null}

# CSV has a row a frame.
$ inlinecall addr --csv -s ring 0x401040 0x1
type,file,address,end,section,is_stmt,frame,function,linkage_name,source,line,column,discriminator,inlined,symbol,symbol_offset,symbol_size
stack,ring,0x401040,,,,0,checksum,,ring.h,25,21,,true,queue_send,0,87
stack,ring,0x401040,,,,1,queue_send,,ring.c,15,6,,false,queue_send,0,87
stack,ring,0x1,,,,0,,,,,,,,,,

# A part of a function has a symbol of its own.
$ inlinecall addr -s --symbols ring queue_send.cold+0x1 queue_send+0x1
0x401008	queue_send()	ring.c:16:3	[queue_send.cold+0x1]
0x401041	checksum()	ring.h:25:21	inlined
	queue_send()	ring.c:15:6
