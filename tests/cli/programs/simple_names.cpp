// Templates, whose arguments clang may leave out of DW_AT_name.
namespace math
{
template <class T> inline __attribute__((always_inline)) T twice(T t)
{
	return t + t;
}
} // namespace math

int whole(int x)
{
	return math::twice(x);
}

double broken(double x)
{
	return math::twice(x);
}
