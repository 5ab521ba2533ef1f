# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# The line of checksum() that is inlined into queue_send().
$ inlinecall lines -s ring ring.h:25
[0x401030 - 0x401032]	ring.h:25:16	checksum()
[0x401032 - 0x401038]	ring.h:25:21	checksum()
[0x401038 - 0x40103d]	ring.h:25:16	checksum()
[0x40103d - 0x40103f]	ring.h:25:21	checksum()
[0x401040 - 0x401046]	ring.h:25:21	checksum() < queue_send() ring.c:15:6
[0x401048 - 0x40104a]	ring.h:25:21	checksum() < queue_send() ring.c:15:6
6 places in 2 functions, and 1 empty one (--empty)

# In a relocatable file there are sections. Of an empty range the code belongs to another line.
$ inlinecall lines -s --empty --json ring.o ring.h:25
{"type":"line","file":"ring.o","address":"0x0","end":"0x2","section":".text","is_stmt":true,"frames":[{"function":"checksum","linkage_name":null,"file":"ring.h","line":25,"column":16,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0x2","end":"0x8","section":".text","is_stmt":false,"frames":[{"function":"checksum","linkage_name":null,"file":"ring.h","line":25,"column":21,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0x8","end":"0xd","section":".text","is_stmt":false,"frames":[{"function":"checksum","linkage_name":null,"file":"ring.h","line":25,"column":16,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0xd","end":"0xf","section":".text","is_stmt":false,"frames":[{"function":"checksum","linkage_name":null,"file":"ring.h","line":25,"column":21,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0x10","end":"0x16","section":".text","is_stmt":true,"frames":[{"function":"checksum","linkage_name":null,"file":"ring.h","line":25,"column":21,"discriminator":0,"inlined":true},{"function":"queue_send","linkage_name":null,"file":"ring.c","line":15,"column":6,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0x16","end":"0x16","section":".text","is_stmt":false,"frames":[{"function":null,"linkage_name":null,"file":"ring.h","line":25,"column":21,"discriminator":0,"inlined":true},{"function":"queue_send","linkage_name":null,"file":"ring.c","line":14,"column":1,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0x18","end":"0x1a","section":".text","is_stmt":false,"frames":[{"function":"checksum","linkage_name":null,"file":"ring.h","line":25,"column":21,"discriminator":0,"inlined":true},{"function":"queue_send","linkage_name":null,"file":"ring.c","line":15,"column":6,"discriminator":0,"inlined":false}]}

# Only where a breakpoint goes.
$ inlinecall lines -b -s ring ring.h:12
[0x401053 - 0x401062]	ring.h:12:30	critical_enter() < ring_put() ring.h:18:2 < queue_send() ring.c:17:9
[0x4010b0 - 0x4010b9]	ring.h:12:30	critical_enter() < ring_put() ring.h:18:2 < queue_send_twice() ring.c:23:30
2 places in 2 functions

# The same as JSON, of the object file.
$ inlinecall lines -b --json -s ring.o ring.h:12
{"type":"line","file":"ring.o","address":"0x23","end":"0x32","section":".text","is_stmt":true,"frames":[{"function":"critical_enter","linkage_name":null,"file":"ring.h","line":12,"column":30,"discriminator":0,"inlined":true},{"function":"ring_put","linkage_name":null,"file":"ring.h","line":18,"column":2,"discriminator":0,"inlined":true},{"function":"queue_send","linkage_name":null,"file":"ring.c","line":17,"column":9,"discriminator":0,"inlined":false}]}
{"type":"line","file":"ring.o","address":"0x80","end":"0x89","section":".text","is_stmt":true,"frames":[{"function":"critical_enter","linkage_name":null,"file":"ring.h","line":12,"column":30,"discriminator":0,"inlined":true},{"function":"ring_put","linkage_name":null,"file":"ring.h","line":18,"column":2,"discriminator":0,"inlined":true},{"function":"queue_send_twice","linkage_name":null,"file":"ring.c","line":23,"column":30,"discriminator":0,"inlined":false}]}

# A line without code, and a file without any.
$ inlinecall lines ring ring.h:1 hoop.h:1
2> inlinecall: ring: no code at ring.h:1; the next line with code is 10
2> inlinecall: ring: no code from a source file named 'hoop.h'
[1]
