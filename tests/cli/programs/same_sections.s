# Two sections of one name, as compilers make for functions that a linker keeps one of.
	.section .text.both,"axG",@progbits,one,comdat
	.globl one
	.type one, @function
one:	nop
	nop
	ret
	.size one, . - one
	.section .text.both,"axG",@progbits,two,comdat
	.globl two
	.type two, @function
two:	nop
	ret
	.size two, . - two
