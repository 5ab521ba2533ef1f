# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# How much was inlined, and of which functions.
$ inlinecall stats ring
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 240, 71.6 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      2	     88	    164	      2	fully	ring_put()	/src/ring.h:16
      2	     76	     76	      2	fully	critical_enter()	/src/ring.h:10
      1	      8	      8	      1	partly	checksum()	/src/ring.h:23
$ inlinecall stats -s ring
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 240, 71.6 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      2	     88	    164	      2	fully	ring_put()	ring.h:16
      2	     76	     76	      2	fully	critical_enter()	ring.h:10
      1	      8	      8	      1	partly	checksum()	ring.h:23

# checksum() is in the code twice: inlined, and by itself.
$ inlinecall stats -s --function=checksum ring
inlined	1 function, in 1 copy and 1 caller
code	8 bytes of 240, 3.3 %
functions	0 never inlined, 1 partly, 0 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      1	      8	      8	      1	partly	checksum()	ring.h:23

# The functions whose code has the copies.
$ inlinecall stats -s --by=caller --sort=bytes ring
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 240, 71.6 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	  FUNCS	  BYTES	   CODE	CALLER	PLACE
      3	      3	     90	    112	queue_send()	ring.c:13
      2	      2	     82	     95	queue_send_twice()	ring.c:20

# The files that declare the functions, and the units that have the code.
$ inlinecall stats -s --by=file ring
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 240, 71.6 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	   SELF	  BYTES	CALLERS	  FUNCS	FILE
      5	    172	    172	      2	      3	ring.h
$ inlinecall stats --by=unit ring
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 240, 71.6 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	  FUNCS	  BYTES	   CODE	UNIT
      5	      3	    172	    230	ring.c

# Some of it.
$ inlinecall stats -s --limit=1 --in=queue_send ring
inlined	3 functions, in 3 copies and 1 caller
code	90 bytes of 240, 37.5 %
functions	0 never inlined, 1 partly, 2 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      1	     44	     82	      1	fully	ring_put()	ring.h:16
... 2 more (--limit=all)
$ inlinecall stats -s -r --function='^r' -f ring.c ring
inlined	1 function, in 2 copies and 2 callers
code	164 bytes of 240, 68.3 %
functions	0 never inlined, 0 partly, 1 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      2	     88	    164	      2	fully	ring_put()	ring.h:16

# Of an object file, and of both together.
$ inlinecall stats --limit=1 --sort=self -s ring.o ring
ring.o:
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 239, 71.9 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      2	     88	    164	      2	fully	ring_put()	ring.h:16
... 2 more (--limit=all)
ring:
inlined	3 functions, in 5 copies and 2 callers
code	172 bytes of 240, 71.6 %
functions	3 never inlined, 1 partly, 2 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      2	     88	    164	      2	fully	ring_put()	ring.h:16
... 2 more (--limit=all)
total:
inlined	6 functions, in 10 copies and 4 callers
code	344 bytes of 479, 71.8 %
functions	6 never inlined, 2 partly, 4 fully

# For programs.
$ inlinecall stats --json -s --limit=1 ring
{"type":"statistic","file":"ring","by":"all","function":null,"linkage_name":null,"decl_file":null,"decl_line":null,"unit":null,"inlined":null,"copies":5,"without_code":0,"functions":3,"callers":2,"self_bytes":172,"bytes":172,"never":3,"partly":1,"fully":2,"out_of_line":4,"out_of_line_bytes":230,"code_bytes":240}
{"type":"statistic","file":"ring","by":"function","function":"ring_put","linkage_name":null,"decl_file":"ring.h","decl_line":16,"unit":null,"inlined":"fully","copies":2,"without_code":0,"functions":1,"callers":2,"self_bytes":88,"bytes":164,"never":0,"partly":0,"fully":1,"out_of_line":0,"out_of_line_bytes":0,"code_bytes":null}
{"type":"limit","file":"ring","left_out":2}
$ inlinecall stats --csv -s ring
type,file,by,function,linkage_name,decl_file,decl_line,unit,inlined,copies,without_code,functions,callers,self_bytes,bytes,never,partly,fully,out_of_line,out_of_line_bytes,code_bytes
statistic,ring,all,,,,,,,5,0,3,2,172,172,3,1,2,4,230,240
statistic,ring,function,ring_put,,ring.h,16,,fully,2,0,1,2,88,164,0,0,1,0,0,
statistic,ring,function,critical_enter,,ring.h,10,,fully,2,0,1,2,76,76,0,0,1,0,0,
statistic,ring,function,checksum,,ring.h,23,,partly,1,0,1,1,8,8,0,1,0,1,16,

# Where the arguments of the copies are when these are entered.
$ inlinecall stats -p ring
all	5 arguments of 5 copies of 3 functions
few	5 arguments of 5 copies of 3 functions with at most 100 copies each
    ALL	   SHARE	    FEW	   SHARE	CATEGORY
      2	 40.00 %	      2	 40.00 %	literal
      5	100.00 %	      5	100.00 %	register+above
      5	100.00 %	      5	100.00 %	arithmetic+above
      5	100.00 %	      5	100.00 %	composite+above
      5	100.00 %	      5	100.00 %	stack+above
      0	  0.00 %	      0	  0.00 %	empty
    ALL	   SHARE	    FEW	   SHARE	SHAPE
      2	 40.00 %	      2	 40.00 %	address
      3	 60.00 %	      3	 60.00 %	register
$ inlinecall stats -p --json ring
{"type":"arguments","file":"ring","by":"all","name":null,"functions":3,"copies":5,"arguments":5,"up_to":null,"few_functions":3,"few_copies":5,"few_arguments":5,"few_up_to":null}
{"type":"arguments","file":"ring","by":"category","name":"literal","functions":null,"copies":null,"arguments":2,"up_to":2,"few_functions":null,"few_copies":null,"few_arguments":2,"few_up_to":2}
{"type":"arguments","file":"ring","by":"category","name":"register","functions":null,"copies":null,"arguments":3,"up_to":5,"few_functions":null,"few_copies":null,"few_arguments":3,"few_up_to":5}
{"type":"arguments","file":"ring","by":"category","name":"arithmetic","functions":null,"copies":null,"arguments":0,"up_to":5,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":5}
{"type":"arguments","file":"ring","by":"category","name":"composite","functions":null,"copies":null,"arguments":0,"up_to":5,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":5}
{"type":"arguments","file":"ring","by":"category","name":"stack","functions":null,"copies":null,"arguments":0,"up_to":5,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":5}
{"type":"arguments","file":"ring","by":"category","name":"empty","functions":null,"copies":null,"arguments":0,"up_to":0,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":0}
{"type":"arguments","file":"ring","by":"shape","name":"number","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"bytes","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"address","functions":null,"copies":null,"arguments":2,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":2,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"register","functions":null,"copies":null,"arguments":3,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":3,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"register value","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"register memory","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"address memory","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"number memory","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"frame","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"load","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"computed","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"typed","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"entry value","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"branch","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"outside","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"pieces","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"implicit pointer","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"not here","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"optimised out","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
{"type":"arguments","file":"ring","by":"shape","name":"unreadable","functions":null,"copies":null,"arguments":0,"up_to":null,"few_functions":null,"few_copies":null,"few_arguments":0,"few_up_to":null}
$ inlinecall stats -p --function=checksum --in=queue_send ring
all	1 argument of 1 copy of 1 function
few	1 argument of 1 copy of 1 function with at most 100 copies each
    ALL	   SHARE	    FEW	   SHARE	CATEGORY
      0	  0.00 %	      0	  0.00 %	literal
      1	100.00 %	      1	100.00 %	register+above
      1	100.00 %	      1	100.00 %	arithmetic+above
      1	100.00 %	      1	100.00 %	composite+above
      1	100.00 %	      1	100.00 %	stack+above
      0	  0.00 %	      0	  0.00 %	empty
    ALL	   SHARE	    FEW	   SHARE	SHAPE
      1	100.00 %	      1	100.00 %	register
$ inlinecall stats -p --function=queue_send ring
2> inlinecall: ring: queue_send: never inlined
[1]
$ inlinecall stats -p --by=file ring
2> inlinecall: -p does not print groups, so --by has no effect
2> Try 'inlinecall stats --help' for the options.
[64]

# A function that was never inlined, and one that there is not.
$ inlinecall stats -s --function=queue_send ring
inlined	0 functions, in 0 copies and 0 callers
code	0 bytes of 240, 0.0 %
functions	1 never inlined, 0 partly, 0 fully
 COPIES	   SELF	  BYTES	CALLERS	INLINED	FUNCTION	PLACE
      0	      0	      0	      0	never	queue_send()	ring.c:13
$ inlinecall stats -s --function=checksums ring
2> inlinecall: ring: no function named 'checksums'; similar name: checksum
[1]
$ inlinecall stats --in=checksum ring
2> inlinecall: ring: nothing was inlined into matching functions
[1]

$ inlinecall stats
2> inlinecall: no FILE given
2> Try 'inlinecall stats --help' for the options.
[64]
$ inlinecall stats -g ring
2> inlinecall: neither --function nor --in was given, so -g and -r have no effect
2> Try 'inlinecall stats --help' for the options.
[64]
$ inlinecall stats --by=line ring
2> inlinecall: --by must be function, caller, file or unit, not 'line'
2> Try 'inlinecall stats --help' for the options.
[64]
$ inlinecall stats --sort=size ring
2> inlinecall: --sort must be copies, self, bytes, callers or name, not 'size'
2> Try 'inlinecall stats --help' for the options.
[64]
