// Two functions of which GCC splits off the same part, which it keeps once, with one of the names.
int out(char *p, unsigned long v);

static int many(char *p, unsigned long v)
{
	int n = 0;
	do {
		p[n++] = v & 0x7f;
		v >>= 7;
		out(p, v);
	} while (v);
	return n;
}

int one(char *p, unsigned long v)
{
	if (v <= 0x7f) {
		p[0] = v;
		return 1;
	}
	return many(p, v) + out(p, 3);
}

static int two(char *p, unsigned long v)
{
	if (v <= 0x7f) {
		p[0] = v;
		return 1;
	}
	return many(p, v) + out(p, 3);
}

int calls_one(char *p, unsigned long v)
{
	return one(p, v) + out(p, 1);
}
int calls_two(char *p, unsigned long v)
{
	return two(p, v) + out(p, 2);
}
int calls_two_too(char *p, unsigned long v)
{
	return two(p, v + 1) + out(p, 5);
}
