// Methods, templates and lambdas that are inlined.
#include "spin.h"

namespace work {

template <int Weight> struct Turn {
	double spent = 0;

	[[gnu::always_inline]] inline void go()
	{
		SPIN(spent, +, 6000ul * Weight);
	}
};

template <typename F> [[gnu::always_inline]] inline void repeat(int count, F &&each)
{
	for (int i = 0; i < count; i++)
		each(i);
}

static double of_lambda;

[[gnu::noinline]] static void all(Turn<1> &first, Turn<3> &second)
{
	first.go();
	second.go();
	repeat(4, [](int i) __attribute__((always_inline)) { SPIN(of_lambda, ^, 2000ul * (unsigned)(i + 1)); });
}

}

int main()
{
	work::Turn<1> first;
	work::Turn<3> second;

	for (double began = now(); now() - began < SECONDS;)
		work::all(first, second);
	PRINT("work::all;work::Turn<1>::go", first.spent);
	PRINT("work::all;work::Turn<3>::go", second.spent);
	PRINT("work::all;work::repeat;operator()", work::of_lambda);
	return 0;
}
