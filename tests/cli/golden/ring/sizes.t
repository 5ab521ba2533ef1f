# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# Where the bytes of the code are: each one in the innermost function there.
$ inlinecall sizes -s ring
code	240 bytes
functions	6 functions, 230 bytes, of which 172 inlined; 10 of padding
   SELF	    %	INLINED	  TOTAL	 COPIES	   EACH	  SAVES	FUNCTION	PLACE
     88	 36.7	     88	    164	      2	     82	     72	ring_put()	ring.h:16
     76	 31.7	     76	     76	      2	     38	     28	critical_enter()	ring.h:10
     24	 10.0	      8	     24	      1	      8	      3	checksum()	ring.h:23
     22	  9.2	      0	    112	      0	    112	       	queue_send()	ring.c:13
     13	  5.4	      0	     95	      0	     95	       	queue_send_twice()	ring.c:20
      7	  2.9	      0	      7	      0	      7	       	device_reset()	ring.c:8
$ inlinecall sizes -s --by=source ring
code	240 bytes
functions	6 functions, 230 bytes, of which 172 inlined; 10 of padding
   SELF	    %	INLINED	  TOTAL	 COPIES	SOURCE
    188	 78.3	    172	    188	      5	ring.h
     42	 17.5	      0	    214	      0	ring.c
$ inlinecall sizes --json -s --limit=1 ring
{"type":"size","file":"ring","by":"all","kind":null,"function":null,"linkage_name":null,"decl_file":null,"decl_line":null,"group":null,"self":230,"self_inlined":172,"total":null,"total_inlined":null,"copies":null,"out_of_line":null,"saving":null,"functions":6,"symbols":0,"linkage":0,"padding":10,"unnamed":0,"code":240}
{"type":"size","file":"ring","by":"function","kind":"function","function":"ring_put","linkage_name":null,"decl_file":"ring.h","decl_line":16,"group":null,"self":88,"self_inlined":88,"total":164,"total_inlined":164,"copies":2,"out_of_line":0,"saving":72,"functions":null,"symbols":null,"linkage":null,"padding":null,"unnamed":null,"code":240}
{"type":"size","file":"ring","by":"function","kind":"padding","function":null,"linkage_name":null,"decl_file":null,"decl_line":null,"group":null,"self":10,"self_inlined":0,"total":10,"total_inlined":0,"copies":0,"out_of_line":0,"saving":null,"functions":null,"symbols":null,"linkage":null,"padding":null,"unnamed":null,"code":240}
{"type":"limit","file":"ring","left_out":5}
