// A class whose destructor nobody writes. One unit has its virtual table, and so its destructors, of
// which the one that also frees has the other inlined, as a part; the other unit has an inlined copy.
struct Member {
	~Member();
	int value = 0;
};

struct Base {
	virtual ~Base();
};

struct Derived : Base {
	virtual void call();
	Member member;
};

void use(Base *base);

#ifdef TABLE
void Derived::call()
{
	member.value++;
}
#else
Member::~Member()
{
	use(nullptr);
}

Base::~Base()
{
	use(nullptr);
}

__attribute__((noipa)) void use(Base *base)
{
	(void)base;
}

int main()
{
	Derived one;
	use(&one);
}
#endif
