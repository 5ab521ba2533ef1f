// Shapes, a list and a heap of our own: methods, constructors, templates, virtual calls, exceptions.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace geometry {

template <class T> inline T greater_of(T a, T b)
{
	return a < b ? b : a;
}

struct Point {
	int x = 0, y = 0;
	Point() : x{0}, y{0} {}
	Point(int x, int y) : x(x), y(y) {}
	Point operator+(const Point &other) const { return Point(x + other.x, y + other.y); }
	bool operator==(const Point &other) const { return x == other.x && y == other.y; }
	int length() const { return std::abs(x) + std::abs(y); }
};

class Shape {
public:
	explicit Shape(Point at) : at_(at) {}
	virtual ~Shape() { destroyed++; }
	virtual int area() const = 0;
	virtual const char *name() const { return "shape"; }
	void move(Point by) { at_ = at_ + by; }
	Point at() const { return at_; }
	static int destroyed;

protected:
	Point at_;
};

int Shape::destroyed = 0;

class Box : public Shape {
public:
	Box(Point at, int width, int height) : Shape(at), width_(width), height_(height) {}
	int area() const override { return width_ * height_; }
	const char *name() const override { return "box"; }
	bool contains(Point point) const;

private:
	static bool is_within(int value, int from, int size) { return value >= from && value < from + size; }
	int width_, height_;
};

bool Box::contains(Point point) const
{
	return is_within(point.x, at_.x, width_) && is_within(point.y, at_.y, height_);
}

class Line final : public Shape {
public:
	Line(Point from, Point to) : Shape(from), to_{to} {}
	int area() const override { return 0; }

private:
	Point to_;
};

} // namespace geometry

template <class T> class List {
public:
	List() = default;
	List(const List &) = delete;
	~List() { clear(); }
	void push(T value)
	{
		if (count_ == capacity_) grow();
		items_[count_++] = value;
	}
	T pop()
	{
		if (empty()) throw std::out_of_range("empty");
		return items_[--count_];
	}
	T &operator[](int index) { return items_[index]; }
	bool empty() const { return count_ == 0; }
	int size() const { return count_; }
	T *begin() { return items_; }
	T *end() { return items_ + count_; }
	void clear()
	{
		std::free(items_);
		items_ = nullptr;
		count_ = capacity_ = 0;
	}

private:
	void grow()
	{
		capacity_ = capacity_ ? 2 * capacity_ : 4;
		items_ = static_cast<T *>(std::realloc(items_, sizeof(T) * capacity_));
	}
	T *items_ = nullptr;
	int count_ = 0, capacity_ = 0;
};

template <class T, class Less> class Heap {
public:
	explicit Heap(Less less) : less_(less) {}
	void add(T value)
	{
		items_.push(value);
		rise(items_.size() - 1);
	}
	T take()
	{
		T top = items_[0], last = items_.pop();
		if (!items_.empty()) {
			items_[0] = last;
			sink(0);
		}
		return top;
	}
	bool empty() const { return items_.empty(); }

private:
	static int parent(int index) { return (index - 1) / 2; }
	static int child(int index) { return 2 * index + 1; }
	void exchange(int a, int b)
	{
		T old = items_[a];
		items_[a] = items_[b];
		items_[b] = old;
	}
	void rise(int index)
	{
		while (index > 0 && less_(items_[index], items_[parent(index)])) {
			exchange(index, parent(index));
			index = parent(index);
		}
	}
	void sink(int index)
	{
		for (int next = child(index); next < items_.size(); next = child(index)) {
			if (next + 1 < items_.size() && less_(items_[next + 1], items_[next])) next++;
			if (!less_(items_[next], items_[index])) return;
			exchange(index, next);
			index = next;
		}
	}
	List<T> items_;
	Less less_;
};

struct Smaller {
	bool operator()(int a, int b) const { return a < b; }
};

struct Longer {
	bool operator()(geometry::Point a, geometry::Point b) const { return a.length() > b.length(); }
};

static int checked(int value)
{
	if (value % 7 == 0) throw value;
	return value;
}

static int guarded(int value)
{
	try {
		return checked(value);
	} catch (int) {
		return -1;
	}
}

class Counter {
public:
	Counter &operator++()
	{
		value_++;
		return *this;
	}
	operator int() const { return value_; }

private:
	int value_ = 0;
};

static int total_area(List<geometry::Shape *> &shapes)
{
	int sum = 0;
	for (geometry::Shape *shape : shapes) sum += shape->area();
	return sum;
}

int main()
{
	using namespace geometry;
	List<Shape *> shapes;
	Counter inside;
	for (int i = 0; i < 12; i++) {
		Box *box = new Box(Point(i, -i), i + 1, 2 * i);
		for (int j = 0; j < 5; j++) {
			if (box->contains(Point(j, j - i))) ++inside;
		}
		shapes.push(box);
		shapes.push(new Line(box->at(), Point() + box->at()));
	}
	for (Shape *shape : shapes) shape->move(Point(1, greater_of(shape->at().x, 3)));
	std::printf("%d %d\n", total_area(shapes), int(inside));

	Heap<int, Smaller> numbers{Smaller()};
	Heap<Point, Longer> points{Longer()};
	for (int i = 0; i < 30; i++) {
		numbers.add(i * 17 % 31);
		points.add(Point(i * 5 % 13, i));
	}
	long order = 0;
	while (!numbers.empty()) order = order * 3 + numbers.take();
	while (!points.empty()) order = order * 3 + points.take().length();
	int caught = 0;
	for (int i = 1; i < 20; i++) caught += guarded(i) < 0;
	List<int> none;
	try {
		none.pop();
	} catch (const std::out_of_range &) {
		caught++;
	}
	std::printf("%ld %d %s\n", order, caught, shapes[1]->name());
	while (!shapes.empty()) delete shapes.pop();
	std::printf("%d %d\n", Shape::destroyed, Point(1, 2) == Point(1, 2));
	return 0;
}
