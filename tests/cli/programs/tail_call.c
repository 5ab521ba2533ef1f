// A call at the end of a function becomes a jump.
int outer(int value);

int jumps(int value)
{
	return outer(value + 1);
}
int calls(int value)
{
	return outer(value) + 1;
}
