# ring.s is ring.c, compiled with -O2 -g: a queue in front of a device. log.txt is what a kernel
# would print of it.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o
$ cp ring.o queue-ring.ko
$ printf 'RIP: 0010:queue_send+0x13/0x60 [queue_ring]\nCall Trace:\n <TASK>\n queue_send_twice+0x7/0x50 [queue_ring]\n ? vfs_write+0xd1/0x3f0\n </TASK>\n' > log.txt

# The program counter is where it is, but 0x7 is where a call returns to.
$ inlinecall addr -s --filter queue-ring.ko < log.txt
RIP: 0010:queue_send+0x13/0x60 [queue_ring]
              critical_enter() at ring.h:12:30 (inlined)
              ring_put() at ring.h:18:2 (inlined)
              queue_send() at ring.c:17:9
Call Trace:
 <TASK>
 queue_send_twice+0x7/0x50 [queue_ring]
     queue_send_twice() at ring.c:23:9
 ? vfs_write+0xd1/0x3f0
 </TASK>

# The same of what is printed of a program.
$ printf '#0  0x0000000000401053 in queue_send () from ring\n' | inlinecall addr -s --filter ring
#0  0x0000000000401053 in queue_send () from ring
        critical_enter() at ring.h:12:30 (inlined)
        ring_put() at ring.h:18:2 (inlined)
        queue_send() at ring.c:17:9

# Addresses in memory: of a program that is loaded, and of a section of a module.
$ inlinecall addr -s --base=0x7f0000000000 ring 0x7f0000001053
0x7f0000001053	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9
$ inlinecall addr -s --section-addr=.text=0xffffffffc0a00000 queue-ring.ko 0xffffffffc0a00023
0xffffffffc0a00023	critical_enter()	ring.h:12:30	inlined
	ring_put()	ring.h:18:2	inlined
	queue_send()	ring.c:17:9
