# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# Which functions contain code of a function.
$ inlinecall affected -s critical_enter ring
critical_enter() ring.h:10: inlined only, 2 copies, code in 2 functions
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     38	1	0x401040	queue_send()	queue_send queue_send.cold
     38	1	0x4010a0	queue_send_twice()	queue_send_twice queue_send_twice.cold
$ inlinecall affected --json -s checksum ring
{"type":"affected","of":"function","build":null,"file":"ring","package":null,"package_version":null,"function":"checksum","linkage_name":null,"decl_file":"ring.h","decl_line":23,"state":"present","reason":null,"copies":1,"without_code":0,"hosts":2,"host":null,"host_linkage_name":null,"own":false,"section":null,"address":null,"end":null,"in_section":null,"bytes":null,"files":null,"present":null,"inlined_only":null,"folded":null,"unknown":null,"symbols":[]}
{"type":"affected","of":"host","build":null,"file":"ring","package":null,"package_version":null,"function":"checksum","linkage_name":null,"decl_file":"ring.h","decl_line":23,"state":"present","reason":null,"copies":0,"without_code":0,"hosts":null,"host":"checksum","host_linkage_name":null,"own":true,"section":null,"address":"0x401030","end":"0x401040","in_section":".text","bytes":16,"files":null,"present":null,"inlined_only":null,"folded":null,"unknown":null,"symbols":[{"name":"checksum"}]}
{"type":"affected","of":"host","build":null,"file":"ring","package":null,"package_version":null,"function":"checksum","linkage_name":null,"decl_file":"ring.h","decl_line":23,"state":"present","reason":null,"copies":1,"without_code":0,"hosts":null,"host":"queue_send","host_linkage_name":null,"own":false,"section":null,"address":"0x401040","end":"0x401097","in_section":".text","bytes":8,"files":null,"present":null,"inlined_only":null,"folded":null,"unknown":null,"symbols":[{"name":"queue_send"},{"name":"queue_send.cold"}]}
$ inlinecall affected --csv -s checksum ring
type,of,build,file,package,package_version,function,linkage_name,decl_file,decl_line,state,reason,copies,without_code,hosts,host,host_linkage_name,own,section,address,end,in_section,bytes,files,present,inlined_only,folded,unknown
affected,function,,ring,,,checksum,,ring.h,23,present,,1,0,2,,,false,,,,,,,,,,
affected,host,,ring,,,checksum,,ring.h,23,present,,0,0,,checksum,,true,,0x401030,0x401040,.text,16,,,,,
affected,host,,ring,,,checksum,,ring.h,23,present,,1,0,,queue_send,,false,,0x401040,0x401097,.text,8,,,,,

# Addresses in an object are offsets in sections.
$ inlinecall affected -s critical_enter ring.o
critical_enter() ring.h:10: inlined only, 2 copies, code in 2 functions
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     38	1	.text+0x10	queue_send()	queue_send queue_send.cold
     38	1	.text+0x70	queue_send_twice()	queue_send_twice queue_send_twice.cold

# No code is left of this one.
$ inlinecall affected -s trace ring
trace() ring.h:29: inlined only: no copy has code left

# By lines, and by a patch.
$ inlinecall affected -s --line=ring.h:23-26 ring
checksum() ring.h:23: present, 1 copy, code in 2 functions
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     16	own	0x401030	checksum()	checksum
      8	1	0x401040	queue_send()	queue_send queue_send.cold
$ inlinecall affected -s --line=ring.h:1 ring
2> inlinecall: ring.h:1: this line is in no function with code: what uses a macro, a type, a variable or a function without code is not found
[2]
$ inlinecall affected -s --patch=ring.patch ring
checksum() ring.h:23: present, 1 copy, code in 2 functions
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     16	own	0x401030	checksum()	checksum
      8	1	0x401040	queue_send()	queue_send queue_send.cold

# What a function is made of.
$ inlinecall affected -s --reverse=queue_send ring
checksum() ring.h:23: present, 1 copy, code in 1 function
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
      8	1	0x401040	queue_send()	queue_send queue_send.cold
ring_put() ring.h:16: inlined only, 1 copy, code in 1 function
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     82	1	0x401040	queue_send()	queue_send queue_send.cold
critical_enter() ring.h:10: inlined only, 1 copy, code in 1 function
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     38	1	0x401040	queue_send()	queue_send queue_send.cold

# Builds.
$ inlinecall affected -s --build=linked=ring --build=object=ring.o checksum
ring:
checksum() ring.h:23: present, 1 copy, code in 2 functions
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     16	own	0x401030	checksum()	checksum
      8	1	0x401040	queue_send()	queue_send queue_send.cold
ring.o:
checksum() ring.h:23: present, 1 copy, code in 2 functions
  BYTES	COPIES	ADDRESS	FUNCTION	SYMBOLS
     16	own	.text+0x0	checksum()	checksum
      8	1	.text+0x10	queue_send()	queue_send queue_send.cold
total:
checksum()	linked	present	in 1 of 1 file: 1 present	1 copy, code in 2 functions
checksum()	object	present	in 1 of 1 file: 1 present	1 copy, code in 2 functions

# None.
$ inlinecall affected nothing ring
nothing(): absent: it is neither defined nor called here
[1]
$ inlinecall affected ring
2> inlinecall: no FILE given
2> Try 'inlinecall affected --help' for the options.
[64]
