// Names that live in scopes, overloads and templates.
// To make points.s anew:
//   g++ -S -O2 -g -gdwarf-5 -dA -fno-ident -fno-exceptions -fno-rtti \
//       -ffile-prefix-map=$PWD=/src points.cpp
extern volatile int sink;

#define ALWAYS inline __attribute__((always_inline))

namespace geometry {

struct Point {
	int x, y;
	ALWAYS Point(int px, int py) : x(px), y(py) { sink = px; }
	ALWAYS int norm() const { return (x < 0 ? -x : x) + (y < 0 ? -y : y); }
};

template <typename T> ALWAYS T biggest(T a, T b) { return a > b ? a : b; }

ALWAYS int measure(int value) { return biggest(value, sink); }
ALWAYS int measure(const Point &point) { return measure(point.norm()); }

} // namespace geometry

int distance(int x, int y)
{
	return geometry::measure(geometry::Point(x, y)) + geometry::measure(x);
}
