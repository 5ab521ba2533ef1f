// Device functions within a kernel.
__device__ __forceinline__ int clamp(int value, int limit) { return value > limit ? limit : value; }

__device__ __forceinline__ int scale(int value, int factor)
{
	int total = 0;
	for (int i = 0; i < factor; i++)
		total += clamp(value + i, 100) + clamp(total, 7);
	return total;
}

__global__ void shapes(int *items, int count)
{
	int at = threadIdx.x + blockIdx.x * blockDim.x;
	if (at < count)
		items[at] = scale(items[at], count) + clamp(items[at], 3);
}
