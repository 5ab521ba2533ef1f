// Templates, a struct's operators, nested functions and lambdas.
module shapes;

__gshared int sink;

pragma(inline, true) int clamp(int value, int limit) { return value > limit ? limit : value + sink; }

T biggest(T)(T a, T b) { return a > b ? a : b; }

struct Point
{
    int x, y;
    Point opBinary(string op : "+")(Point other) const
    {
        return Point(clamp(x + other.x, 100), clamp(y + other.y, 100));
    }
    int norm() const { return biggest(x, -x) + biggest(y, -y); }
}

int apply(alias call)(int value) { return call(value) + call(value + 1); }

int area(int width, int height)
{
    int total;
    void add(int more) { total += clamp(more, 50); }
    foreach (i; 0 .. height)
        add(width + i);
    add(height);
    return total + apply!(v => clamp(v, 9) * 2)(width);
}

extern (C) int main(int argc, char** argv)
{
    auto sum = Point(argc, 1) + Point(2, argc);
    sink = sum.norm() + cast(int) biggest!long(argc, 3);
    return area(argc, sink) + clamp(argc, 3) + clamp(sink, 4);
}
