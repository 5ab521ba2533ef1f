# Waits with known registers, in a function whose arguments are in pieces; see test_backtrace.py.
	.text
	.globl	_start
_start:
	.cfi_startproc
	.cfi_undefined rip
	movabs	$0x1122334455667788, %rbx
	movabs	$0x99aabbccddeeff00, %r12
	lea	memory(%rip), %r13
	mov	$1, %eax
	mov	$1, %edi
	lea	here(%rip), %rsi
	mov	$5, %edx
	syscall
0:	mov	$34, %eax		# pause
	syscall
	jmp	0b
	.cfi_endproc
end:
	.data
memory:	.long	0x12345678, 0x9abcdef0
here:	.ascii	"here\n"

	.macro	entry expression:vararg	# of a location list, with one expression for all code
	.byte	8			# DW_LLE_start_length
	.quad	_start
	.uleb128 end - _start
	.uleb128 2f - 1f
1:	.byte	\expression
2:	.byte	0
	.endm

	.section .debug_loclists,"",@progbits
	.long	lists_end - lists
lists:	.value	5
	.byte	8, 0
	.long	0
wide:	entry	0x53, 0x93, 8, 0x5c, 0x93, 8	# reg3 piece 8, reg12 piece 8
parts:	entry	0x7d, 4, 0x93, 4, 0x37, 0x9f, 0x93, 4	# breg13 4 piece 4, lit7 stack_value piece 4
bits:	entry	0x53, 0x9d, 12, 4, 0x5c, 0x9d, 20, 8	# reg3 bit_piece 12 4, reg12 bit_piece 20 8
bytes:	entry	0x9e, 2, 0xcd, 0xab, 0x93, 2, 0x53, 0x93, 6	# implicit_value, reg3 piece 6
lacks:	entry	0x53, 0x93, 4, 0x93, 4		# reg3 piece 4, piece 4
few:	entry	0x53, 0x93, 4			# reg3 piece 4
lists_end:

	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11		# compile unit
	.byte	1
	.uleb128 0x03, 0x08, 0x13, 0x0b, 0x11, 0x01, 0x12, 0x07, 0, 0
	.uleb128 2, 0x24		# base type
	.byte	0
	.uleb128 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b, 0, 0
	.uleb128 3, 0x2e		# function
	.byte	1
	.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0
	.uleb128 4, 0x05		# parameter, with a list
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x17, 0, 0
	.uleb128 5, 0x05		# and with one expression
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
	.byte	0

	.macro	parameter name, type
	.uleb128 4
	.asciz	"\name"
	.long	\type - unit
	.long	\name
	.endm

	.section .debug_info,"",@progbits
unit:	.long	unit_end - 1f
1:	.value	5
	.byte	1, 8
	.long	.debug_abbrev
	.uleb128 1
	.asciz	"pieces.c"
	.byte	0x0c			# C99
	.quad	_start
	.quad	end - _start
int:	.uleb128 2
	.asciz	"int"
	.byte	5, 4
long:	.uleb128 2
	.asciz	"unsigned long"
	.byte	7, 8
large:	.uleb128 2
	.asciz	"unsigned __int128"
	.byte	7, 16
	.uleb128 3
	.asciz	"waits"
	.quad	_start
	.quad	end - _start
	parameter wide, large
	parameter parts, long
	parameter bits, int
	parameter bytes, long
	parameter lacks, long
	parameter few, long
	.uleb128 5
	.asciz	"moved"
	.long	large - unit
	.uleb128 2f - 1f
1:	.byte	0x53, 0x93, 8, 0x5c, 0x93, 8
2:	.byte	0, 0
unit_end:
