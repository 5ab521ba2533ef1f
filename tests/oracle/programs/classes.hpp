// What C++ adds: names that live in scopes, declarations apart from definitions, templates.
#pragma once

extern volatile int sink;

#define ALWAYS inline __attribute__((always_inline))

namespace geometry {

struct Point {
	int x, y;
	Point(int px, int py) : x(px), y(py) { sink = px; }
	ALWAYS Point operator+(const Point &other) const { return Point(x + other.x, y + other.y); }
	int norm() const; // defined outside: a specification
	static ALWAYS int origin_distance(int a) { return a < 0 ? -a : a; }
};

inline int Point::norm() const { return origin_distance(x) + origin_distance(y); }

namespace detail {
template <typename T> ALWAYS T biggest(T a, T b) { return a > b ? a : b; }
template <typename T, int N> struct Ring {
	T items[N];
	int at = 0;
	ALWAYS void put(T item) { items[at++ % N] = biggest(item, items[0]); }
	ALWAYS T sum() const
	{
		T total = 0;
		for (const T &item : items)
			total += item;
		return total;
	}
};
} // namespace detail

ALWAYS int measure(int value) { return detail::biggest(value, 1); }
ALWAYS long measure(long value) { return detail::biggest(value, 2L); }
ALWAYS int measure(const Point &p) { return measure(p.norm()); }

} // namespace geometry

struct Shape {
	virtual int size() const { return geometry::measure(sink); }
	virtual ~Shape() { sink = geometry::measure(3); }
};

struct Square final : Shape {
	int side;
	explicit Square(int s) : side(s) {}
	int size() const override { return geometry::measure(side) * side; }
	~Square() { sink = side; }
};

struct Lock {
	Lock() { sink = 1; }
	~Lock() { sink = 0; }
};
