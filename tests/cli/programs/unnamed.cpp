// Functions without linkage names in the DWARF.
volatile int sink;

extern "C" __attribute__((always_inline)) inline int plain(int x)
{
	sink++;
	return x + sink;
}

namespace {

__attribute__((noinline)) int hidden(int x)
{
	return plain(x) + plain(x + 1);
}

}

int main(int count, char **)
{
	return hidden(count);
}
