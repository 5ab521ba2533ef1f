// Three kernels, and functions that are inlined into each other: a line has no more than one call.
__device__ __forceinline__ int square(int a)
{
	return a * a + (a >> 3);
}

__device__ __forceinline__ int cube(int a, int b)
{
	int c = square(a);

	if (c > 7)
		return c / a +
		       square(b);
	return c ^ b;
}

template <int N> __device__ __forceinline__ int blend(int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += cube(values[i], N);
	return sum;
}

__global__ void first(int *values, int count)
{
	int i = threadIdx.x;

	if (i < count)
		values[i] = cube(values[i], i) +
			    square(count);
	values[i + 1] = count;
}

__global__ void second(int *values, int count)
{
	values[threadIdx.x] = blend<2>(values, count);
}

__global__ void third(int *values, int count)
{
	values[0] = blend<3>(values, count);
	if (count > 2)
		values[1] = square(values[2]);
}
