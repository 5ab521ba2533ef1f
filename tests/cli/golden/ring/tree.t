# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# What was inlined into queue_send(), and how much of its code that is.
$ inlinecall tree --charset=utf8 queue_send ring
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
    112	     22	0x401040	queue_send()	/src/ring.c:13	[0x401040 - 0x401097] [0x401007 - 0x401020]
      8	      8	0x401040	├─ checksum()	/src/ring.c:15:6
     82	     44	0x401053	└─ ring_put()	/src/ring.c:17:9
     38	     38	0x401053	   └─ critical_enter()	/src/ring.h:18:2

$ inlinecall tree -s --charset=ascii -g 'queue_*' ring
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
     95	     13	0x4010a0	queue_send_twice()	ring.c:20	[0x4010a0 - 0x4010f0] [0x401020 - 0x40102f]
     82	     44	0x4010b0	`- ring_put()	ring.c:23:30
     38	     38	0x4010b0	   `- critical_enter()	ring.h:18:2
    112	     22	0x401040	queue_send()	ring.c:13	[0x401040 - 0x401097] [0x401007 - 0x401020]
      8	      8	0x401040	|- checksum()	ring.c:15:6
     82	     44	0x401053	`- ring_put()	ring.c:17:9
     38	     38	0x401053	   `- critical_enter()	ring.h:18:2

$ inlinecall tree --json checksum ring
{"type":"instance","file":"ring","depth":0,"function":"checksum","linkage_name":null,"inlined":false,"part":false,"decl_file":"/src/ring.h","decl_line":23,"call_file":null,"call_line":null,"call_column":null,"bytes":16,"own_bytes":16,"ranges":[["0x401030","0x401040"]],"section":null,"entry":"0x401030","host":"checksum","symbol":"checksum","unit":"ring.c","die":"0x2a8","parent":null,"die_file":null}

# All that is known of each, as JSON lines or as a table.
$ inlinecall tree -s --json queue_send ring.o
{"type":"instance","file":"ring.o","depth":0,"function":"queue_send","linkage_name":null,"inlined":false,"part":false,"decl_file":"ring.c","decl_line":13,"call_file":null,"call_line":null,"call_column":null,"bytes":112,"own_bytes":22,"ranges":[["0x10","0x67"],["0x7","0x20",".text.unlikely"]],"section":".text","entry":"0x10","host":"queue_send","symbol":"queue_send","unit":"ring.c","die":"0x152","parent":null,"die_file":null}
{"type":"instance","file":"ring.o","depth":1,"function":"checksum","linkage_name":null,"inlined":true,"part":false,"decl_file":"ring.h","decl_line":23,"call_file":"ring.c","call_line":15,"call_column":6,"bytes":8,"own_bytes":8,"ranges":[["0x10","0x16"],["0x18","0x1a"]],"section":".text","entry":"0x10","host":"queue_send","symbol":"queue_send","unit":"ring.c","die":"0x179","parent":"0x152","die_file":null}
{"type":"instance","file":"ring.o","depth":1,"function":"ring_put","linkage_name":null,"inlined":true,"part":false,"decl_file":"ring.h","decl_line":16,"call_file":"ring.c","call_line":17,"call_column":9,"bytes":82,"own_bytes":44,"ranges":[["0x23","0x66"],["0x11","0x20",".text.unlikely"]],"section":".text","entry":"0x23","host":"queue_send","symbol":"queue_send","unit":"ring.c","die":"0x19f","parent":"0x152","die_file":null}
{"type":"instance","file":"ring.o","depth":2,"function":"critical_enter","linkage_name":null,"inlined":true,"part":false,"decl_file":"ring.h","decl_line":10,"call_file":"ring.h","call_line":18,"call_column":2,"bytes":38,"own_bytes":38,"ranges":[["0x23","0x3a"],["0x11","0x20",".text.unlikely"]],"section":".text","entry":"0x23","host":"queue_send","symbol":"queue_send","unit":"ring.c","die":"0x1d1","parent":"0x19f","die_file":null}
$ inlinecall tree -s --csv -L 1 checksum ring
type,file,depth,function,linkage_name,inlined,part,decl_file,decl_line,call_file,call_line,call_column,bytes,own_bytes,ranges,section,entry,host,symbol,unit,die,parent,die_file
instance,ring,0,checksum,,false,false,ring.h,23,,,,16,16,0x401030-0x401040,,0x401030,checksum,checksum,ring.c,0x2a8,,

# Where the arguments of each are when it is entered.
$ inlinecall tree -s -p --charset=ascii queue_send ring
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
    112	     22	0x401040	queue_send()	ring.c:13	[0x401040 - 0x401097] [0x401007 - 0x401020]
		packet=%rdi
      8	      8	0x401040	|- checksum()	ring.c:15:6
		packet=%rdi
     82	     44	0x401053	`- ring_put()	ring.c:17:9
		ring=&0x403020, item=%rdi
     38	     38	0x401053	   `- critical_enter()	ring.h:18:2
		no parameters
$ inlinecall tree -s -pp --charset=ascii -L 1 queue_send ring.o
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
    112	     22	.text+0x10	queue_send()	ring.c:13	[.text+0x10 - .text+0x67] [.text.unlikely+0x7 - .text.unlikely+0x20]
		packet	int	%rdi
			[.text+0x10 - .text+0x3a]	DW_OP_reg5 rdi
			[.text+0x3a - .text+0x5d]	DW_OP_reg0 rax
			[.text+0x5d - .text+0x60]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text+0x60 - .text+0x67]	DW_OP_addr 0x10e0, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text+0x67 - .text+0x67]	DW_OP_reg0 rax
			[.text.unlikely+0x7 - .text.unlikely+0x20]	DW_OP_reg0 rax
      8	      8	.text+0x10	|- checksum()	ring.c:15:6
		packet	int	%rdi
			[.text+0x10 view 2 - .text+0x16]	DW_OP_reg5 rdi
     82	     44	.text+0x23	`- ring_put()	ring.c:17:9
		ring	struct ring *	&0x10e0
			[.text+0x23 view 1 - .text+0x66]	DW_OP_addr 0x10e0, DW_OP_stack_value
			[.text.unlikely+0x11 - .text.unlikely+0x20]	DW_OP_addr 0x10e0, DW_OP_stack_value
		item	int	%rdi
			[.text+0x23 view 1 - .text+0x3a]	DW_OP_reg5 rdi
			[.text+0x3a - .text+0x5d]	DW_OP_reg0 rax
			[.text+0x5d - .text+0x60]	DW_OP_breg1 rdx+0, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text+0x60 - .text+0x66]	DW_OP_addr 0x10e0, DW_OP_deref_size 0x4, DW_OP_lit1, DW_OP_minus, DW_OP_const1u 0x3f, DW_OP_and, DW_OP_const4u 0xffffffff, DW_OP_and, DW_OP_lit2, DW_OP_shl, DW_OP_breg2 rcx+0, DW_OP_plus, DW_OP_plus_uconst 0x4
			[.text.unlikely+0x11 - .text.unlikely+0x20]	DW_OP_reg0 rax
... 1 more (--limit=all)
$ inlinecall tree -s -p --json -L 0 queue_send ring
{"type":"instance","file":"ring","depth":0,"function":"queue_send","linkage_name":null,"inlined":false,"part":false,"decl_file":"ring.c","decl_line":13,"call_file":null,"call_line":null,"call_column":null,"bytes":112,"own_bytes":22,"ranges":[["0x401040","0x401097"],["0x401007","0x401020"]],"section":null,"entry":"0x401040","host":"queue_send","symbol":"queue_send","unit":"ring.c","die":"0x152","parent":null,"die_file":null,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null,"known_from":null,"known_section":null}}]}
{"type":"limit","file":"ring","left_out":3}
$ inlinecall tree -s -pp --json -L 0 checksum ring
{"type":"instance","file":"ring","depth":0,"function":"checksum","linkage_name":null,"inlined":false,"part":false,"decl_file":"ring.h","decl_line":23,"call_file":null,"call_line":null,"call_column":null,"bytes":16,"own_bytes":16,"ranges":[["0x401030","0x401040"]],"section":null,"entry":"0x401030","host":"checksum","symbol":"checksum","unit":"ring.c","die":"0x2a8","parent":null,"die_file":null,"variadic":false,"params":[{"name":"packet","type":"int","size":4,"encoding":"integer","signed":true,"artificial":false,"result":false,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null,"known_from":null,"known_section":null},"list":[{"start":null,"end":null,"section":null,"start_view":0,"end_view":0,"location":{"kind":"register","text":"%rdi","reason":null,"register":"rdi","offset":0,"value":null},"expression":"DW_OP_reg5 rdi"}]}]}
$ inlinecall tree -p --csv queue_send ring
2> inlinecall: -p cannot be used with --csv; use --json
2> Try 'inlinecall tree --help' for the options.
[64]

# Without what is small, or deep.
$ inlinecall tree -s --charset=ascii --min-bytes=20 -L 1 queue_send_twice ring
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
     95	     13	0x4010a0	queue_send_twice()	ring.c:20	[0x4010a0 - 0x4010f0] [0x401020 - 0x40102f]
     82	     44	0x4010b0	`- ring_put()	ring.c:23:30
... 1 more (--limit=all)

# Addresses of a relocatable file are offsets in sections.
$ inlinecall tree -s --charset=ascii queue_send ring.o
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
    112	     22	.text+0x10	queue_send()	ring.c:13	[.text+0x10 - .text+0x67] [.text.unlikely+0x7 - .text.unlikely+0x20]
      8	      8	.text+0x10	|- checksum()	ring.c:15:6
     82	     44	.text+0x23	`- ring_put()	ring.c:17:9
     38	     38	.text+0x23	   `- critical_enter()	ring.h:18:2

# The trees of copies that were themselves inlined.
$ inlinecall tree ring_put ring
2> inlinecall: ring: ring_put: inlined 2 times (declared at /src/ring.h:16); no out-of-line code; 'inlinecall sites' lists the copies, and -I shows their contents
[1]
$ inlinecall tree -s --charset=ascii -I ring_put ring
  BYTES	    OWN	ADDRESS	FUNCTION	PLACE	RANGES
     82	     44	0x4010b0	ring_put()	ring.c:23:30	[0x4010a7 - 0x4010ad] [0x4010b0 - 0x4010e7] [0x4010e9 - 0x4010ef] [0x401020 - 0x40102f]	in queue_send_twice()
     38	     38	0x4010b0	`- critical_enter()	ring.h:18:2
     82	     44	0x401053	ring_put()	ring.c:17:9	[0x401053 - 0x401096] [0x401011 - 0x401020]	in queue_send()
     38	     38	0x401053	`- critical_enter()	ring.h:18:2

$ inlinecall tree queue_sent ring
2> inlinecall: ring: no function named 'queue_sent'; similar name: queue_send
[1]
