// A program without a C library, whose signal handler faults: what the handler returns to has no
// call frame information, as in musl. For test_backtraces.py.
#define FUNCTION __attribute__((noinline, noclone))

enum { USR1 = 10, HAS_SIGINFO = 4, HAS_RESTORER = 0x04000000, HAS_STACK = 0x08000000 };
enum { STACK_SIZE = 1 << 15 };

int *volatile nowhere;
volatile int sink;
void restorer(void);

#if defined(__x86_64__)
enum { SIGACTION = 13, KILL = 62, GETPID = 39, SIGALTSTACK = 131 };
__asm__(".text\n.globl restorer\nrestorer: mov $15, %rax\nsyscall");

static long call(long number, long a, long b, long c, long d)
{
	long result;
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__i386__)
enum { SIGACTION = 174, KILL = 37, GETPID = 20, SIGALTSTACK = 186 };
#ifdef SIGINFO
__asm__(".text\n.globl restorer\nrestorer: mov $173, %eax\nint $0x80");
#else
__asm__(".text\n.globl restorer\nrestorer: pop %eax\nmov $119, %eax\nint $0x80");
#endif

static long call(long number, long a, long b, long c, long d)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory");
	return result;
}
#elif defined(__aarch64__)
enum { SIGACTION = 134, KILL = 129, GETPID = 172, SIGALTSTACK = 132 };
__asm__(".text\n.globl restorer\nrestorer: mov x8, #139\nsvc #0");

static long call(long number, long a, long b, long c, long d)
{
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x8 __asm__("x8") = number;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x8) : "memory");
	return x0;
}
#elif defined(__s390x__)
enum { SIGACTION = 174, KILL = 37, GETPID = 20, SIGALTSTACK = 186 };

static long call(long number, long a, long b, long c, long d)
{
	register long r1 __asm__("r1") = number;
	register long r2 __asm__("r2") = a;
	register long r3 __asm__("r3") = b;
	register long r4 __asm__("r4") = c;
	register long r5 __asm__("r5") = d;

	__asm__ volatile("svc 0" : "+d"(r2) : "d"(r1), "d"(r3), "d"(r4), "d"(r5) : "memory");
	return r2;
}
#elif defined(__powerpc64__)
enum { SIGACTION = 173, KILL = 37, GETPID = 20, SIGALTSTACK = 185 };

static long call(long number, long a, long b, long c, long d)
{
	register long r0 __asm__("r0") = number;
	register long r3 __asm__("r3") = a;
	register long r4 __asm__("r4") = b;
	register long r5 __asm__("r5") = c;
	register long r6 __asm__("r6") = d;

	__asm__ volatile("sc"
			 : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6)
			 :
			 : "r7", "r8", "r9", "r10", "r11", "r12", "cr0", "ctr", "memory");
	return r3;
}
#endif

#if defined(__s390x__) || defined(__powerpc64__) // they have no restorers but that of the kernel
enum { FLAGS = 0 };
#define RESTORER 0
#else
enum { FLAGS = HAS_RESTORER };
#define RESTORER restorer
#endif

static void handler(int number)
{
	*nowhere = number;
}

FUNCTION static long raises(void)
{
	long result = call(KILL, call(GETPID, 0, 0, 0, 0), USR1, 0, 0);

	return result + sink;
}

FUNCTION static long outer(void)
{
	return raises() + sink;
}

#ifdef BELOW
static char below[STACK_SIZE];
#endif

#if defined(__x86_64__) || defined(__i386__)
__attribute__((force_align_arg_pointer))
#endif
void
_start(void)
{
#ifdef ABOVE // of the frames that are interrupted
	volatile char above[STACK_SIZE];
#endif
	struct { // as the kernel has it
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long long mask;
	} action = { handler, FLAGS, RESTORER, 0 };

#if defined(__x86_64__)
	__asm__ volatile(".cfi_undefined rip");
#elif defined(__i386__)
	__asm__ volatile(".cfi_undefined eip");
#endif
#if defined(ABOVE) || defined(BELOW)
	struct {
		volatile char *start;
		int flags;
		unsigned long size;
	} stack = {
#ifdef ABOVE
		above,
#else
		below,
#endif
		0, STACK_SIZE
	};

	action.flags |= HAS_STACK;
	call(SIGALTSTACK, (long)&stack, 0, 0, 0);
#endif
#ifdef SIGINFO
	action.flags |= HAS_SIGINFO;
#endif
	call(SIGACTION, USR1, (long)&action, 0, 8);
	sink = (int)outer();
	for (;;) {}
}
