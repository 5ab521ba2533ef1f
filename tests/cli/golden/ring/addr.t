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

# From standard input, one answer a line, whatever the line is.
$ printf '0x401030\n\n  0x2 \nnowhere+0x3\nqueue_send+0x99\n' | inlinecall addr -s ring
0x401030	checksum()	ring.h:25:16
??	??
0x2	??
nowhere+0x3	??
queue_send+0x99	??
2> inlinecall: ring: '': an empty line
2> inlinecall: ring: 'nowhere+0x3': no symbol or section is called nowhere; if it was inlined, 'inlinecall sites' lists its copies
2> inlinecall: ring: 'queue_send+0x99': queue_send ends before that: 0x401040 (0x57 bytes)
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
2> inlinecall: ring.o: '0x12': an offset in which of 2 sections? Give .text+0x12, or --section=.text
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
