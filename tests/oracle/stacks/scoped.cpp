// As kinds.c: enumerations in namespaces and classes.
#include <cstdlib>

namespace outer
{
namespace
{
enum class Hidden { ONE = 1, FOUR = 4 };
}
enum Plain { FIRST, SECOND = 5 };
enum class Scoped : unsigned char { LOW, HIGH = 200 };
enum class Flags : unsigned { NONE, A = 1, B = 2 };
template <typename T> struct Holder {
	enum Inner { DEEP = 3 };
	enum class Other : T { DEEPER = -4 };
};
} // namespace outer
enum Global { GLOBAL = 9 };
typedef outer::Scoped Alias;

__attribute__((noinline)) static void arrive(outer::Plain plain, outer::Plain odd, Alias scoped,
					     outer::Flags flags, outer::Flags more,
					     outer::Holder<int>::Inner inner,
					     outer::Holder<int>::Other other, Global global,
					     const outer::Hidden hidden, outer::Hidden both)
{
	abort();
}

int main()
{
	arrive(outer::SECOND, outer::Plain(3), Alias::HIGH, outer::Flags(3), outer::Flags(9),
	       outer::Holder<int>::DEEP, outer::Holder<int>::Other::DEEPER, GLOBAL,
	       outer::Hidden::FOUR, outer::Hidden(5));
}
