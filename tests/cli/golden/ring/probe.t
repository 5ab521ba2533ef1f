# Probes on functions of the program of sites.t, in forms that have no path.
$ as --64 -o ring.o ring.s
$ ld -e queue_send --defsym=pending=0x500000 -Ttext=0x401000 -o ring ring.o

# A copy that was inlined, and one out of line.
$ inlinecall probe --for=gdb -s checksum ring
set language c
# checksum, called at ring.c:15 in queue_send
dprintf *(long)&'queue_send'+0,"checksum_1 packet=%lld\n", (int)($rdi)
# checksum, out of line
dprintf *(long)&'checksum'+0,"checksum_2 packet=%lld\n", (int)($rdi)

# Arguments that are nowhere are named.
$ inlinecall probe --for=gdb -s --only-inlined ring_put ring
set language c
# ring_put, called at ring.c:23 in queue_send_twice
# without ring: an address known only at load time
dprintf *(long)&'queue_send_twice'+16,"ring_put_1 item=%lld\n", (int)($rsi)
# ring_put, called at ring.c:17 in queue_send
# without ring: an address known only at load time
dprintf *(long)&'queue_send'+19,"ring_put_2 item=%lld\n", (int)($rdi)

# Places as symbols and offsets.
$ inlinecall probe --for=kinst -s critical_enter ring
/* critical_enter, called at ring.h:18 in queue_send_twice */
kinst::queue_send_twice:16 { printf("critical_enter_1\n"); }
/* critical_enter, called at ring.h:18 in queue_send */
kinst::queue_send:19 { printf("critical_enter_2\n"); }

# Not all of them.
$ inlinecall probe --for=kinst -s --limit=1 critical_enter ring
/* critical_enter, called at ring.h:18 in queue_send_twice */
kinst::queue_send_twice:16 { printf("critical_enter_1\n"); }
2> inlinecall: ring: 1 of 2 probes left out (--limit=1)

# Nothing to probe.
$ inlinecall probe no_such_function ring
2> inlinecall: ring: no function named 'no_such_function'
[1]
