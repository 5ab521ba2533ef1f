# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device. In called.s checksum() is called.
$ as --64 -o ring.o ring.s
$ as --64 -o called.o called.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# Whether it keeps rules.
$ inlinecall check -s ring.rules ring
4 rules: 2 kept, 1 broken, 1 unmatched
ring.rules:2: never inline checksum: broken at 1 place (the live patch replaces it)
	ring.c:15:6	checksum inlined into queue_send	ring	0x401040
ring.rules:5: never inline check: no function has the name, so nothing was checked
[1]
$ inlinecall check --json -s ring.rules ring
{"type":"rule","of":"all","rule_file":null,"rule_line":null,"rule":null,"reason":null,"state":null,"why":null,"limit":null,"found":null,"functions":null,"breaks":null,"what":null,"file":null,"function":null,"host":null,"call_file":null,"call_line":null,"call_column":null,"section":null,"address":null,"probes":null,"rules":4,"kept":2,"broken":1,"unmatched":1,"unknown":0}
{"type":"rule","of":"rule","rule_file":"ring.rules","rule_line":2,"rule":"never inline checksum","reason":"the live patch replaces it","state":"broken","why":null,"limit":null,"found":null,"functions":1,"breaks":1,"what":null,"file":null,"function":null,"host":null,"call_file":null,"call_line":null,"call_column":null,"section":null,"address":null,"probes":null,"rules":null,"kept":null,"broken":null,"unmatched":null,"unknown":null}
{"type":"rule","of":"place","rule_file":"ring.rules","rule_line":2,"rule":"never inline checksum","reason":"the live patch replaces it","state":"broken","why":null,"limit":null,"found":null,"functions":1,"breaks":1,"what":"inlined","file":"ring","function":"checksum","host":"queue_send","call_file":"ring.c","call_line":15,"call_column":6,"section":null,"address":"0x401040","probes":null,"rules":null,"kept":null,"broken":null,"unmatched":null,"unknown":null}
{"type":"rule","of":"rule","rule_file":"ring.rules","rule_line":3,"rule":"always inline ring_put","reason":null,"state":"kept","why":null,"limit":null,"found":null,"functions":1,"breaks":0,"what":null,"file":null,"function":null,"host":null,"call_file":null,"call_line":null,"call_column":null,"section":null,"address":null,"probes":null,"rules":null,"kept":null,"broken":null,"unmatched":null,"unknown":null}
{"type":"rule","of":"rule","rule_file":"ring.rules","rule_line":4,"rule":"checksum into queue_send","reason":null,"state":"kept","why":null,"limit":null,"found":null,"functions":1,"breaks":0,"what":null,"file":null,"function":null,"host":null,"call_file":null,"call_line":null,"call_column":null,"section":null,"address":null,"probes":null,"rules":null,"kept":null,"broken":null,"unmatched":null,"unknown":null}
{"type":"rule","of":"rule","rule_file":"ring.rules","rule_line":5,"rule":"never inline check","reason":null,"state":"unmatched","why":null,"limit":null,"found":null,"functions":0,"breaks":0,"what":null,"file":null,"function":null,"host":null,"call_file":null,"call_line":null,"call_column":null,"section":null,"address":null,"probes":null,"rules":null,"kept":null,"broken":null,"unmatched":null,"unknown":null}
[1]
$ inlinecall check --csv -s ring.rules ring
type,of,rule_file,rule_line,rule,reason,state,why,limit,found,functions,breaks,what,file,function,host,call_file,call_line,call_column,section,address,probes,rules,kept,broken,unmatched,unknown
rule,all,,,,,,,,,,,,,,,,,,,,,4,2,1,1,0
rule,rule,ring.rules,2,never inline checksum,the live patch replaces it,broken,,,,1,1,,,,,,,,,,,,,,,
rule,place,ring.rules,2,never inline checksum,the live patch replaces it,broken,,,,1,1,inlined,ring,checksum,queue_send,ring.c,15,6,,0x401040,,,,,,
rule,rule,ring.rules,3,always inline ring_put,,kept,,,,1,0,,,,,,,,,,,,,,,
rule,rule,ring.rules,4,checksum into queue_send,,kept,,,,1,0,,,,,,,,,,,,,,,
rule,rule,ring.rules,5,never inline check,,unmatched,,,,0,0,,,,,,,,,,,,,,,
[1]
$ inlinecall check --tap -s ring.rules ring
TAP version 13
1..4
not ok 1 - never inline checksum
# broken at 1 place
# the live patch replaces it
#   checksum inlined into queue_send at ring.c:15
ok 2 - always inline ring_put
ok 3 - checksum into queue_send
not ok 4 - never inline check
# no function has the name, so nothing was checked
[1]
$ inlinecall check --junit -s ring.rules ring
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="inlinecall check" tests="4" failures="2" errors="0">
<testcase classname="ring.rules" name="never inline checksum"><failure message="broken at 1 place">the live patch replaces it
ring.c:15: checksum inlined into queue_send</failure></testcase>
<testcase classname="ring.rules" name="always inline ring_put"/>
<testcase classname="ring.rules" name="checksum into queue_send"/>
<testcase classname="ring.rules" name="never inline check"><failure message="no function has the name, so nothing was checked"></failure></testcase>
</testsuite>
</testsuites>
[1]
$ inlinecall check --github -s ring.rules ring
::error file=ring.c,line=15,title=never inline checksum::checksum inlined into queue_send: the live patch replaces it
::error file=ring.rules,line=5,title=never inline check::no function has the name, so nothing was checked
[1]
$ inlinecall check --sarif -s ring.rules ring
{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":[
{"ruleId":"never inline checksum","level":"error","message":{"text":"checksum inlined into queue_send"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"ring.c"},"region":{"startLine":15,"startColumn":6}},"logicalLocations":[{"kind":"function","name":"queue_send"}]}],"properties":{"state":"broken","reason":"the live patch replaces it","binary":"ring"}},
{"ruleId":"never inline check","level":"error","message":{"text":"no function has the name, so nothing was checked"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"ring.rules"},"region":{"startLine":5}}}],"properties":{"state":"unmatched"}}],
"tool":{"driver":{"name":"inlinecall","version":"0.1.0"}}}]}
[1]

# Addresses in an object are offsets in sections; files add up.
$ inlinecall check -s ring.rules ring.o called.o
4 rules: 1 kept, 2 broken, 1 unmatched
ring.rules:2: never inline checksum: broken at 1 place (the live patch replaces it)
	ring.c:15:6	checksum inlined into queue_send	ring.o	.text+0x10
ring.rules:4: checksum into queue_send: broken at 1 place
	ring.c:13	checksum not inlined into queue_send	called.o	.text+0x10
ring.rules:5: never inline check: no function has the name, so nothing was checked
[1]

# Rules of today.
$ inlinecall check --init ring
at most 1 copies of "checksum"@ring.h
never out-of-line "critical_enter"@ring.h
never out-of-line "ring_put"@ring.h
$ printf 'at most 0 copies of checksum\n' >own.rules; inlinecall check -s --update own.rules ring
1 rule: 0 kept, 1 broken
own.rules:1: at most 0 copies of checksum: found 1
	ring.c:15:6	checksum inlined into queue_send	ring	0x401040
[1]
$ cat own.rules; inlinecall check own.rules ring
at most 1 copies of checksum
1 rule: 1 kept

# Which probes miss calls.
$ echo 'kprobe:checksum,kprobe:queue_send { }' | inlinecall check -s --bpftrace=- ring
2 rules: 1 kept, 1 broken
-:1: probe at start of "checksum" hits every call: broken at 1 place
	ring.c:15:6	checksum inlined into queue_send, seen at queue_send+0x0	ring	0x401040
[1]

# Not a rule.
$ printf 'never call checksum\n' >own.rules; inlinecall check own.rules ring
2> inlinecall: own.rules:1: not a rule: 'never ...'
[2]
$ inlinecall check ring.rules
2> inlinecall: no FILE given
2> Try 'inlinecall check --help' for the options.
[64]
