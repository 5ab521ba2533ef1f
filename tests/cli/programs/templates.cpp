// A function template with code in every inlined copy.
volatile int sink;

namespace shop
{

template <typename T> inline __attribute__((always_inline)) T weigh(T item, int count)
{
	sink = count;
	return item * 3 + sink;
}

} // namespace shop

int total(int a, int b)
{
	return shop::weigh(a, 2) + shop::weigh(static_cast<long>(b), 3) > 9;
}
