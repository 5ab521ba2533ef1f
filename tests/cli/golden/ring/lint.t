# What is wrong with the inlined functions of the program of sites.t.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# The parameters of GCC's copies are in another order than those of the function.
$ inlinecall lint --severity=note ring
note	parameter-order	2	GNU C17 12.2.0	parameters of a copy in a different order than in the function
  .debug_info+0x108	ring_put()	ring.c	parameter 1 comes after parameter 2
  .debug_info+0x1c4	ring_put()	ring.c	parameter 1 comes after parameter 2
[1]

$ inlinecall lint --json --severity=note --limit=1 -s ring
{"type":"count","file":"ring","rule":"parameter-order","severity":"note","paragraph":"DWARF 5, 3.3.4 and 3.3.8.2","producer":"GNU C17 12.2.0","count":2,"section":null,"die":null,"die_file":null,"unit":null,"function":null,"source":null,"line":null,"text":null}
{"type":"finding","file":"ring","rule":"parameter-order","severity":"note","paragraph":"DWARF 5, 3.3.4 and 3.3.8.2","producer":"GNU C17 12.2.0","count":null,"section":".debug_info","die":"0x108","die_file":null,"unit":"ring.c","function":"ring_put","source":null,"line":null,"text":"parameter 1 comes after parameter 2"}
{"type":"limit","file":"ring","left_out":1}
[1]

$ inlinecall lint --csv --severity=note --limit=0 ring
type,file,rule,severity,paragraph,producer,count,section,die,die_file,unit,function,source,line,text
count,ring,parameter-order,note,"DWARF 5, 3.3.4 and 3.3.8.2",GNU C17 12.2.0,2,,,,,,,,
2> inlinecall: ring: 2 rows left out by --limit
[1]

# That is a note: nothing is against the standard.
$ inlinecall lint ring
ring: no findings in 5 copies
