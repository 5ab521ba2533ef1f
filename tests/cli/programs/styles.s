# A function that an assembler was given, and a label that is none.
	.text
	.globl	assembled
	.type	assembled, @function
assembled:
	nop
	nop
	ret
	.size	assembled, .-assembled
label:
	nop
	ret
	.section .note.GNU-stack, "", @progbits
