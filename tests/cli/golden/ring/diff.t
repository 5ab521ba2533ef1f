# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device. In called.s checksum() is called.
$ as --64 -o ring.o ring.s
$ as --64 -o called.o called.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o called called.o

# What changed between two builds.
$ inlinecall diff -s ring called
code	240 -> 240 bytes: -8 in copies and functions that came or went, +4 in others, +4 outside of functions
copies	5 -> 4: 1 outlined
changed	2 functions, 1 of these only by a few bytes, or with their callers (--min-bytes)
  BYTES	COPIES	CHANGE	FUNCTION	PLACE
     -8	1 -> 0	outlined	checksum()	ring.h:23	partly -> never inlined
	in queue_send()	copies 1 -> 0, calls 0 -> 1, -8 bytes
[1]
$ inlinecall diff -s --only=shrunk --min-bytes=0 ring called
code	240 -> 240 bytes: -8 in copies and functions that came or went, +4 in others, +4 outside of functions
copies	5 -> 4: 1 outlined
changed	2 functions
$ inlinecall diff --json -s ring called
{"type":"change","of":"all","kinds":null,"group":null,"function":null,"linkage_name":null,"old_inlined":null,"new_inlined":null,"old_decl_file":null,"old_decl_line":null,"new_decl_file":null,"new_decl_line":null,"old_copies":5,"new_copies":4,"old_out_of_line":null,"new_out_of_line":null,"old_bytes":null,"new_bytes":null,"old_out_of_line_bytes":null,"new_out_of_line_bytes":null,"inlined":0,"outlined":1,"added":0,"removed":0,"came":0,"went":0,"emptied":0,"filled":0,"readable":null,"unreadable":null,"explained":-8,"grown":4,"functions":2,"small":1,"selected":1,"old_code":240,"new_code":240,"paths":[],"arguments":[]}
{"type":"change","of":"function","kinds":"outlined","group":null,"function":"checksum","linkage_name":null,"old_inlined":"partly","new_inlined":"never","old_decl_file":"ring.h","old_decl_line":23,"new_decl_file":"ring.h","new_decl_line":23,"old_copies":1,"new_copies":0,"old_out_of_line":1,"new_out_of_line":1,"old_bytes":8,"new_bytes":0,"old_out_of_line_bytes":16,"new_out_of_line_bytes":16,"inlined":0,"outlined":1,"added":0,"removed":0,"came":0,"went":0,"emptied":0,"filled":0,"readable":null,"unreadable":null,"explained":-8,"grown":0,"functions":null,"small":null,"selected":null,"old_code":null,"new_code":null,"paths":[{"host":"queue_send","callers":[],"old_copies":1,"new_copies":0,"old_calls":0,"new_calls":1,"old_bytes":8,"new_bytes":0}],"arguments":[]}
[1]
$ inlinecall diff --csv -s ring called
type,of,kinds,group,function,linkage_name,old_inlined,new_inlined,old_decl_file,old_decl_line,new_decl_file,new_decl_line,old_copies,new_copies,old_out_of_line,new_out_of_line,old_bytes,new_bytes,old_out_of_line_bytes,new_out_of_line_bytes,inlined,outlined,added,removed,came,went,emptied,filled,readable,unreadable,explained,grown,functions,small,selected,old_code,new_code
change,all,,,,,,,,,,,5,4,,,,,,,0,1,0,0,0,0,0,0,,,-8,4,2,1,1,240,240
change,function,outlined,,checksum,,partly,never,ring.h,23,ring.h,23,1,0,1,1,8,0,16,16,0,1,0,0,0,0,0,0,,,-8,0,,,,,
[1]

# Arguments are compared only if asked for.
$ inlinecall diff -p -s ring called
code	240 -> 240 bytes: -8 in copies and functions that came or went, +4 in others, +4 outside of functions
copies	5 -> 4: 1 outlined
arguments	0 became readable, 0 unreadable
changed	2 functions, 1 of these only by a few bytes, or with their callers (--min-bytes)
  BYTES	COPIES	CHANGE	FUNCTION	PLACE
     -8	1 -> 0	outlined	checksum()	ring.h:23	partly -> never inlined
	in queue_send()	copies 1 -> 0, calls 0 -> 1, -8 bytes
[1]
$ inlinecall diff -p --only=unreadable --json ring called
{"type":"change","of":"all","kinds":null,"group":null,"function":null,"linkage_name":null,"old_inlined":null,"new_inlined":null,"old_decl_file":null,"old_decl_line":null,"new_decl_file":null,"new_decl_line":null,"old_copies":5,"new_copies":4,"old_out_of_line":null,"new_out_of_line":null,"old_bytes":null,"new_bytes":null,"old_out_of_line_bytes":null,"new_out_of_line_bytes":null,"inlined":0,"outlined":1,"added":0,"removed":0,"came":0,"went":0,"emptied":0,"filled":0,"readable":0,"unreadable":0,"explained":-8,"grown":4,"functions":2,"small":1,"selected":0,"old_code":240,"new_code":240,"paths":[],"arguments":[]}
$ inlinecall diff --only=readable ring called
2> inlinecall: --only=readable and --only=unreadable need -p
2> Try 'inlinecall diff --help' for the options.
[64]
$ inlinecall diff -p --html=- ring called
2> inlinecall: -p cannot be used with --html
2> Try 'inlinecall diff --help' for the options.
[64]

# Functions are added up, including those that only grew a little.
$ inlinecall diff -s --by=directory ring called
code	240 -> 240 bytes: -8 in copies and functions that came or went, +4 in others, +4 outside of functions
copies	5 -> 4: 1 outlined
changed	2 functions, 1 of these only by a few bytes, or with their callers (--min-bytes), 1 directory selected
  BYTES	COPIES	CHANGE	FUNCTIONS	DIRECTORY
     -4	1 -> 0	outlined,grown	2	src
[1]
$ inlinecall diff -s --by=source --json ring called
{"type":"change","of":"all","kinds":null,"group":null,"function":null,"linkage_name":null,"old_inlined":null,"new_inlined":null,"old_decl_file":null,"old_decl_line":null,"new_decl_file":null,"new_decl_line":null,"old_copies":5,"new_copies":4,"old_out_of_line":null,"new_out_of_line":null,"old_bytes":null,"new_bytes":null,"old_out_of_line_bytes":null,"new_out_of_line_bytes":null,"inlined":0,"outlined":1,"added":0,"removed":0,"came":0,"went":0,"emptied":0,"filled":0,"readable":null,"unreadable":null,"explained":-8,"grown":4,"functions":2,"small":1,"selected":1,"old_code":240,"new_code":240,"paths":[],"arguments":[]}
{"type":"change","of":"source","kinds":"outlined","group":"ring.h","function":null,"linkage_name":null,"old_inlined":null,"new_inlined":null,"old_decl_file":"ring.h","old_decl_line":null,"new_decl_file":"ring.h","new_decl_line":null,"old_copies":1,"new_copies":0,"old_out_of_line":1,"new_out_of_line":1,"old_bytes":8,"new_bytes":0,"old_out_of_line_bytes":16,"new_out_of_line_bytes":16,"inlined":0,"outlined":1,"added":0,"removed":0,"came":0,"went":0,"emptied":0,"filled":0,"readable":null,"unreadable":null,"explained":-8,"grown":0,"functions":1,"small":null,"selected":null,"old_code":null,"new_code":null,"paths":[],"arguments":[]}
[1]
$ inlinecall diff --by=line ring called
2> inlinecall: --by must be function, source, directory or template, not 'line'
2> Try 'inlinecall diff --help' for the options.
[64]

# Nothing did.
$ inlinecall diff ring ring.o
code	240 -> 239 bytes: +0 in copies and functions that came or went, +0 in others, -1 outside of functions
copies	5 -> 5
changed	0 functions
$ inlinecall diff ring
2> inlinecall: OLD and NEW must be given
2> Try 'inlinecall diff --help' for the options.
[64]

# Not a build.
$ inlinecall diff ring /dev/null
2> inlinecall: /dev/null: not a regular file
[2]
$ inlinecall diff --only=changed ring ring
2> inlinecall: --only takes new, vanished, inlined, outlined, added, removed, grown, shrunk, moved, came, went, emptied, filled, readable and unreadable, separated by commas, not 'changed'
2> Try 'inlinecall diff --help' for the options.
[64]
