// Functions that are inlined, in every kind of scope; some have no linkage names.
#include <cstdio>

#define INLINED __attribute__((always_inline)) inline
#define KEPT __attribute__((noinline))

static int volatile seen;

namespace deep { namespace er {
namespace {
INLINED int hidden(int x) { seen = x; return seen * 3 + 1; }
struct Unseen { int v; INLINED int get() const { seen = v; return seen + 2; } };
}
template <class T> struct Box { T v; INLINED int twice() const { seen = v; return seen * 2; } };
struct Shape { int v; static int area(int n); int size(int n) const; };
KEPT int Shape::area(int n) {
	struct Local { int v; INLINED int flip() { seen = v; return seen ^ 5; } } local{n};
	return local.flip();
}
KEPT int Shape::size(int n) const { return hidden(n) + Unseen{v}.get() + Box<int>{n}.twice(); }
} }

static INLINED int plain(int a) { seen = a; return seen - 1; }

KEPT static int closures(int n) {
	auto add = [&](int k) __attribute__((always_inline)) { seen = k; return seen + n; };
	auto scale = [&](int k) __attribute__((always_inline)) { seen = k; return seen * n; };
	return add(scale(n));
}

int main(int argc, char **) {
	deep::er::Shape shape{argc};
	printf("%d\n", shape.size(plain(argc)) + deep::er::Shape::area(argc) + closures(argc));
}
