	.file	"ring.c"
	.text
.Ltext0:
	.file 0 "/src" "ring.c"
	.p2align 4
	.type	checksum, @function
checksum:
.LVL0:
.LFB2:
	.file 1 "ring.h"
	.loc 1 24 1 view -0
	.cfi_startproc
	.loc 1 25 2 view .LVU1
	.loc 1 25 16 is_stmt 0 view .LVU2
	movl	%edi, %eax
	.loc 1 25 21 view .LVU3
	movl	pending(%rip), %edx
	.loc 1 25 16 view .LVU4
	sall	$5, %eax
	subl	%edi, %eax
	.loc 1 25 21 view .LVU5
	addl	%edx, %eax
	.loc 1 26 1 view .LVU6
	ret
	.cfi_endproc
.LFE2:
	.size	checksum, .-checksum
	.section	.text.unlikely,"ax",@progbits
	.globl	device_reset
	.type	device_reset, @function
device_reset:
.LVL1:
.LFB4:
	.file 2 "ring.c"
	.loc 2 9 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 2 10 2 view .LVU8
	.loc 2 10 10 is_stmt 0 view .LVU9
	movl	%edi, pending(%rip)
	.loc 2 11 1 view .LVU10
	ret
	.cfi_endproc
.LFE4:
	.size	device_reset, .-device_reset
.LCOLDB0:
	.text
.LHOTB0:
	.p2align 4
	.section	.text.unlikely
.Ltext_cold0:
	.text
	.globl	queue_send
	.type	queue_send, @function
queue_send:
.LVL2:
.LFB5:
	.loc 2 14 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 2 15 2 view .LVU12
	.loc 2 14 1 is_stmt 0 view .LVU13
	movl	%edi, %ecx
	.loc 2 15 6 view .LVU14
	call	checksum
.LVL3:
	.loc 2 15 5 view .LVU15
	testb	$1, %al
	jne	.L13
.L5:
	.loc 2 17 2 is_stmt 1 view .LVU16
.LVL4:
.LBB14:
.LBI14:
	.loc 1 16 12 view .LVU17
.LBB15:
	.loc 1 18 2 view .LVU18
.LBB16:
.LBI16:
	.loc 1 10 13 view .LVU19
.LBB17:
	.loc 1 12 2 view .LVU20
	.loc 1 12 30 is_stmt 0 view .LVU21
	movl	pending(%rip), %eax
	leal	1(%rax), %edx
	movl	%edx, pending(%rip)
	.loc 1 12 5 view .LVU22
	testl	%eax, %eax
	jne	.L14
.LVL5:
.L6:
	.loc 1 12 5 view .LVU23
.LBE17:
.LBE16:
	.loc 1 19 2 is_stmt 1 view .LVU24
	.loc 1 19 18 is_stmt 0 view .LVU25
	movl	queue(%rip), %eax
	.loc 1 19 24 view .LVU26
	leal	1(%rax), %edx
	.loc 1 19 33 view .LVU27
	andl	$63, %eax
	.loc 1 19 24 view .LVU28
	movl	%edx, queue(%rip)
	.loc 1 19 33 view .LVU29
	leaq	queue(%rip), %rdx
	movl	%ecx, 4(%rdx,%rax,4)
	.loc 1 20 2 is_stmt 1 view .LVU30
	.loc 1 20 16 is_stmt 0 view .LVU31
	movl	pending(%rip), %eax
	leal	-1(%rax), %edx
	movl	%edx, pending(%rip)
.LVL6:
	.loc 1 20 16 view .LVU32
.LBE15:
.LBE14:
	.loc 2 18 1 view .LVU33
	ret
	.loc 2 18 1 view .LVU34
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.type	queue_send.cold, @function
queue_send.cold:
.LFSB5:
.L13:
	.loc 2 16 3 is_stmt 1 view -0
	call	device_reset
.LVL7:
	jmp	.L5
.LVL8:
.L14:
.LBB21:
.LBB20:
.LBB19:
.LBB18:
	.loc 1 13 3 view .LVU36
	movl	$1, %edi
	call	device_reset
.LVL9:
	jmp	.L6
.LBE18:
.LBE19:
.LBE20:
.LBE21:
	.cfi_endproc
.LFE5:
	.text
	.size	queue_send, .-queue_send
	.section	.text.unlikely
	.size	queue_send.cold, .-queue_send.cold
.LCOLDE0:
	.text
.LHOTE0:
	.section	.text.unlikely
.LCOLDB1:
	.text
.LHOTB1:
	.p2align 4
	.globl	queue_send_twice
	.type	queue_send_twice, @function
queue_send_twice:
.LVL10:
.LFB6:
	.loc 2 21 1 view -0
	.cfi_startproc
	.loc 2 22 2 view .LVU38
	.loc 2 23 2 view .LVU39
	.loc 2 21 1 is_stmt 0 view .LVU40
	movl	%edi, %esi
	.loc 2 23 9 view .LVU41
	call	queue_send
.LVL11:
.LBB22:
.LBB23:
.LBB24:
.LBB25:
	.loc 1 12 30 view .LVU42
	movl	pending(%rip), %edx
.LBE25:
.LBE24:
.LBE23:
.LBE22:
	.loc 2 23 30 view .LVU43
	addl	$1, %esi
.LVL12:
.LBB33:
.LBI22:
	.loc 1 16 12 is_stmt 1 view .LVU44
.LBB30:
	.loc 1 18 2 view .LVU45
.LBB28:
.LBI24:
	.loc 1 10 13 view .LVU46
.LBB26:
	.loc 1 12 2 view .LVU47
	.loc 1 12 30 is_stmt 0 view .LVU48
	leal	1(%rdx), %ecx
	movl	%ecx, pending(%rip)
	.loc 1 12 5 view .LVU49
	testl	%edx, %edx
	jne	.L20
.L16:
.LBE26:
.LBE28:
	.loc 1 19 2 is_stmt 1 view .LVU50
	.loc 1 19 18 is_stmt 0 view .LVU51
	movl	queue(%rip), %edx
	.loc 1 19 24 view .LVU52
	leal	1(%rdx), %ecx
	.loc 1 19 33 view .LVU53
	andl	$63, %edx
	.loc 1 19 24 view .LVU54
	movl	%ecx, queue(%rip)
	.loc 1 19 33 view .LVU55
	leaq	queue(%rip), %rcx
	movl	%esi, 4(%rcx,%rdx,4)
	.loc 1 20 2 is_stmt 1 view .LVU56
	.loc 1 20 16 is_stmt 0 view .LVU57
	movl	pending(%rip), %edx
	leal	-1(%rdx), %ecx
.LBE30:
.LBE33:
	.loc 2 23 28 view .LVU58
	addl	%edx, %eax
.LBB34:
.LBB31:
	.loc 1 20 16 view .LVU59
	movl	%ecx, pending(%rip)
.LVL13:
	.loc 1 20 16 view .LVU60
.LBE31:
.LBE34:
	.loc 2 24 1 view .LVU61
	ret
.LVL14:
	.loc 2 24 1 view .LVU62
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.type	queue_send_twice.cold, @function
queue_send_twice.cold:
.LFSB6:
.L20:
.LBB35:
.LBB32:
.LBB29:
.LBB27:
	.loc 1 13 3 is_stmt 1 view .LVU37
	movl	$1, %edi
	call	device_reset
.LVL15:
	jmp	.L16
.LBE27:
.LBE29:
.LBE32:
.LBE35:
	.cfi_endproc
.LFE6:
	.text
	.size	queue_send_twice, .-queue_send_twice
	.section	.text.unlikely
	.size	queue_send_twice.cold, .-queue_send_twice.cold
.LCOLDE1:
	.text
.LHOTE1:
	.globl	chosen_checksum
	.section	.data.rel.local,"aw"
	.align 8
	.type	chosen_checksum, @object
	.size	chosen_checksum, 8
chosen_checksum:
	.quad	checksum
	.globl	queue
	.bss
	.align 32
	.type	queue, @object
	.size	queue, 260
queue:
	.zero	260
	.text
.Letext0:
	.section	.text.unlikely
.Letext_cold0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x2af
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0xd
	.long	.LASF15
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.long	.LLRL12
	.quad	0
	.long	.Ldebug_line0
	.uleb128 0xe
	.long	.LASF13
	.value	0x104
	.byte	0x1
	.byte	0x3
	.byte	0x8
	.long	0x4f
	.uleb128 0x5
	.long	.LASF2
	.byte	0x6
	.long	0x4f
	.byte	0
	.uleb128 0x5
	.long	.LASF3
	.byte	0xc
	.long	0x5b
	.byte	0x4
	.byte	0
	.uleb128 0xf
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0x10
	.long	0x4f
	.uleb128 0x11
	.long	0x4f
	.long	0x6b
	.uleb128 0x12
	.long	0x6b
	.byte	0x3f
	.byte	0
	.uleb128 0x13
	.byte	0x8
	.byte	0x7
	.long	.LASF4
	.uleb128 0x14
	.long	.LASF5
	.byte	0x1
	.byte	0x7
	.byte	0x15
	.long	0x56
	.uleb128 0x6
	.long	.LASF6
	.byte	0x6
	.byte	0xd
	.long	0x2a
	.uleb128 0x9
	.byte	0x3
	.quad	queue
	.uleb128 0x15
	.long	0x4f
	.long	0xa2
	.uleb128 0x16
	.long	0x4f
	.byte	0
	.uleb128 0x6
	.long	.LASF7
	.byte	0x1a
	.byte	0x7
	.long	0xb7
	.uleb128 0x9
	.byte	0x3
	.quad	chosen_checksum
	.uleb128 0x7
	.long	0x93
	.uleb128 0x8
	.long	.LASF8
	.byte	0x14
	.long	0x4f
	.long	.LLRL6
	.uleb128 0x1
	.byte	0x9c
	.long	0x152
	.uleb128 0x9
	.long	.LASF10
	.byte	0x14
	.byte	0x1a
	.long	0x4f
	.long	.LLST7
	.long	.LVUS7
	.uleb128 0xa
	.long	0x27c
	.quad	.LBI22
	.byte	.LVU44
	.long	.LLRL8
	.byte	0x17
	.byte	0x1e
	.long	0x13d
	.uleb128 0x1
	.long	0x298
	.long	.LLST9
	.long	.LVUS9
	.uleb128 0x1
	.long	0x28d
	.long	.LLST10
	.long	.LVUS10
	.uleb128 0xb
	.long	0x2a9
	.quad	.LBI24
	.byte	.LVU46
	.long	.LLRL11
	.uleb128 0x3
	.quad	.LVL15
	.long	0x1f9
	.uleb128 0x2
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x75
	.sleb128 0
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x3
	.quad	.LVL11
	.long	0x152
	.uleb128 0x2
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x74
	.sleb128 0
	.byte	0
	.byte	0
	.uleb128 0x8
	.long	.LASF9
	.byte	0xd
	.long	0x4f
	.long	.LLRL0
	.uleb128 0x1
	.byte	0x9c
	.long	0x1f9
	.uleb128 0x9
	.long	.LASF10
	.byte	0xd
	.byte	0x14
	.long	0x4f
	.long	.LLST1
	.long	.LVUS1
	.uleb128 0xa
	.long	0x27c
	.quad	.LBI14
	.byte	.LVU17
	.long	.LLRL2
	.byte	0x11
	.byte	0x9
	.long	0x1d3
	.uleb128 0x1
	.long	0x298
	.long	.LLST3
	.long	.LVUS3
	.uleb128 0x1
	.long	0x28d
	.long	.LLST4
	.long	.LVUS4
	.uleb128 0xb
	.long	0x2a9
	.quad	.LBI16
	.byte	.LVU19
	.long	.LLRL5
	.uleb128 0x3
	.quad	.LVL9
	.long	0x1f9
	.uleb128 0x2
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x75
	.sleb128 0
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x17
	.quad	.LVL3
	.long	0x24b
	.long	0x1eb
	.uleb128 0x2
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x75
	.sleb128 0
	.byte	0
	.uleb128 0x18
	.quad	.LVL7
	.long	0x1f9
	.byte	0
	.uleb128 0x19
	.long	.LASF11
	.byte	0x2
	.byte	0x8
	.byte	0x6
	.quad	.LFB4
	.quad	.LFE4-.LFB4
	.uleb128 0x1
	.byte	0x9c
	.long	0x226
	.uleb128 0xc
	.long	.LASF12
	.byte	0x2
	.byte	0x8
	.byte	0x17
	.long	0x4f
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x1a
	.long	.LASF16
	.byte	0x1
	.byte	0x1d
	.byte	0xd
	.byte	0x3
	.long	0x24b
	.uleb128 0x4
	.long	.LASF10
	.byte	0x1d
	.byte	0x17
	.long	0x4f
	.uleb128 0x1b
	.long	.LASF17
	.byte	0x1
	.byte	0x1f
	.byte	0x6
	.long	0x4f
	.byte	0
	.uleb128 0x1c
	.long	.LASF18
	.byte	0x1
	.byte	0x17
	.byte	0x13
	.long	0x4f
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.long	0x27c
	.uleb128 0xc
	.long	.LASF10
	.byte	0x1
	.byte	0x17
	.byte	0x20
	.long	0x4f
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x1d
	.long	.LASF19
	.byte	0x1
	.byte	0x10
	.byte	0xc
	.long	0x4f
	.byte	0x3
	.long	0x2a4
	.uleb128 0x4
	.long	.LASF13
	.byte	0x10
	.byte	0x22
	.long	0x2a4
	.uleb128 0x4
	.long	.LASF14
	.byte	0x10
	.byte	0x2c
	.long	0x4f
	.byte	0
	.uleb128 0x7
	.long	0x2a
	.uleb128 0x1e
	.long	.LASF20
	.byte	0x1
	.byte	0xa
	.byte	0xd
	.byte	0x3
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x49
	.byte	0
	.uleb128 0x2
	.uleb128 0x18
	.uleb128 0x7e
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 4
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 2
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 2
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 5
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 2
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x58
	.uleb128 0x21
	.sleb128 2
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x58
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x59
	.uleb128 0x21
	.sleb128 18
	.uleb128 0x57
	.uleb128 0x21
	.sleb128 2
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0x5
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0x35
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x12
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x13
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0x14
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x15
	.uleb128 0x15
	.byte	0x1
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x16
	.uleb128 0x5
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x17
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x18
	.uleb128 0x48
	.byte	0
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x19
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1a
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1b
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1c
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1d
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1e
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x20
	.uleb128 0xb
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loclists,"",@progbits
	.long	.Ldebug_loc3-.Ldebug_loc2
.Ldebug_loc2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.Ldebug_loc0:
.LVUS7:
	.uleb128 0
	.uleb128 .LVU42
	.uleb128 .LVU42
	.uleb128 .LVU44
	.uleb128 .LVU44
	.uleb128 0
	.uleb128 0
	.uleb128 0
.LLST7:
	.byte	0x6
	.quad	.LVL10
	.byte	0x4
	.uleb128 .LVL10-.LVL10
	.uleb128 .LVL11-1-.LVL10
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL11-1-.LVL10
	.uleb128 .LVL12-.LVL10
	.uleb128 0x1
	.byte	0x54
	.byte	0x4
	.uleb128 .LVL12-.LVL10
	.uleb128 .LHOTE1-.LVL10
	.uleb128 0x3
	.byte	0x74
	.sleb128 -1
	.byte	0x9f
	.byte	0x8
	.quad	.LFSB6
	.uleb128 .LCOLDE1-.LFSB6
	.uleb128 0x3
	.byte	0x74
	.sleb128 -1
	.byte	0x9f
	.byte	0
.LVUS9:
	.uleb128 .LVU44
	.uleb128 .LVU60
	.uleb128 .LVU62
	.uleb128 0
	.uleb128 0
	.uleb128 0
.LLST9:
	.byte	0x6
	.quad	.LVL12
	.byte	0x4
	.uleb128 .LVL12-.LVL12
	.uleb128 .LVL13-.LVL12
	.uleb128 0x1
	.byte	0x54
	.byte	0x4
	.uleb128 .LVL14-.LVL12
	.uleb128 .LHOTE1-.LVL12
	.uleb128 0x1
	.byte	0x54
	.byte	0x8
	.quad	.LFSB6
	.uleb128 .LCOLDE1-.LFSB6
	.uleb128 0x1
	.byte	0x54
	.byte	0
.LVUS10:
	.uleb128 .LVU44
	.uleb128 .LVU60
	.uleb128 .LVU62
	.uleb128 0
	.uleb128 0
	.uleb128 0
.LLST10:
	.byte	0x6
	.quad	.LVL12
	.byte	0x4
	.uleb128 .LVL12-.LVL12
	.uleb128 .LVL13-.LVL12
	.uleb128 0xa
	.byte	0x3
	.quad	queue
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL14-.LVL12
	.uleb128 .LHOTE1-.LVL12
	.uleb128 0xa
	.byte	0x3
	.quad	queue
	.byte	0x9f
	.byte	0x8
	.quad	.LFSB6
	.uleb128 .LCOLDE1-.LFSB6
	.uleb128 0xa
	.byte	0x3
	.quad	queue
	.byte	0x9f
	.byte	0
.LVUS1:
	.uleb128 0
	.uleb128 .LVU23
	.uleb128 .LVU23
	.uleb128 0
	.uleb128 0
	.uleb128 0
.LLST1:
	.byte	0x6
	.quad	.LVL2
	.byte	0x4
	.uleb128 .LVL2-.LVL2
	.uleb128 .LVL5-.LVL2
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL5-.LVL2
	.uleb128 .LHOTE0-.LVL2
	.uleb128 0x1
	.byte	0x52
	.byte	0x8
	.quad	.LFSB5
	.uleb128 .LCOLDE0-.LFSB5
	.uleb128 0x1
	.byte	0x52
	.byte	0
.LVUS3:
	.uleb128 .LVU17
	.uleb128 .LVU23
	.uleb128 .LVU23
	.uleb128 .LVU32
	.uleb128 .LVU36
	.uleb128 0
.LLST3:
	.byte	0x6
	.quad	.LVL4
	.byte	0x4
	.uleb128 .LVL4-.LVL4
	.uleb128 .LVL5-.LVL4
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL5-.LVL4
	.uleb128 .LVL6-.LVL4
	.uleb128 0x1
	.byte	0x52
	.byte	0x8
	.quad	.LVL8
	.uleb128 .LFE5-.LVL8
	.uleb128 0x1
	.byte	0x52
	.byte	0
.LVUS4:
	.uleb128 .LVU17
	.uleb128 .LVU32
	.uleb128 .LVU36
	.uleb128 0
.LLST4:
	.byte	0x8
	.quad	.LVL4
	.uleb128 .LVL6-.LVL4
	.uleb128 0xa
	.byte	0x3
	.quad	queue
	.byte	0x9f
	.byte	0x8
	.quad	.LVL8
	.uleb128 .LFE5-.LVL8
	.uleb128 0xa
	.byte	0x3
	.quad	queue
	.byte	0x9f
	.byte	0
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.long	0x4c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	.Ltext_cold0
	.quad	.Letext_cold0-.Ltext_cold0
	.quad	.LFB4
	.quad	.LFE4-.LFB4
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.LLRL0:
	.byte	0x7
	.quad	.LFB5
	.uleb128 .LHOTE0-.LFB5
	.byte	0x7
	.quad	.LFSB5
	.uleb128 .LCOLDE0-.LFSB5
	.byte	0
.LLRL2:
	.byte	0x7
	.quad	.LBB14
	.uleb128 .LBE14-.LBB14
	.byte	0x7
	.quad	.LBB21
	.uleb128 .LBE21-.LBB21
	.byte	0
.LLRL5:
	.byte	0x7
	.quad	.LBB16
	.uleb128 .LBE16-.LBB16
	.byte	0x7
	.quad	.LBB19
	.uleb128 .LBE19-.LBB19
	.byte	0
.LLRL6:
	.byte	0x7
	.quad	.LFB6
	.uleb128 .LHOTE1-.LFB6
	.byte	0x7
	.quad	.LFSB6
	.uleb128 .LCOLDE1-.LFSB6
	.byte	0
.LLRL8:
	.byte	0x5
	.quad	.LBB22
	.byte	0x4
	.uleb128 .LBB22-.LBB22
	.uleb128 .LBE22-.LBB22
	.byte	0x4
	.uleb128 .LBB33-.LBB22
	.uleb128 .LBE33-.LBB22
	.byte	0x4
	.uleb128 .LBB34-.LBB22
	.uleb128 .LBE34-.LBB22
	.byte	0x7
	.quad	.LBB35
	.uleb128 .LBE35-.LBB35
	.byte	0
.LLRL11:
	.byte	0x5
	.quad	.LBB24
	.byte	0x4
	.uleb128 .LBB24-.LBB24
	.uleb128 .LBE24-.LBB24
	.byte	0x4
	.uleb128 .LBB28-.LBB24
	.uleb128 .LBE28-.LBB24
	.byte	0x7
	.quad	.LBB29
	.uleb128 .LBE29-.LBB29
	.byte	0
.LLRL12:
	.byte	0x7
	.quad	.Ltext0
	.uleb128 .Letext0-.Ltext0
	.byte	0x7
	.quad	.Ltext_cold0
	.uleb128 .Letext_cold0-.Ltext_cold0
	.byte	0x7
	.quad	.LFB4
	.uleb128 .LFE4-.LFB4
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF17:
	.string	"unused"
.LASF3:
	.string	"items"
.LASF4:
	.string	"long unsigned int"
.LASF19:
	.string	"ring_put"
.LASF2:
	.string	"head"
.LASF14:
	.string	"item"
.LASF11:
	.string	"device_reset"
.LASF5:
	.string	"pending"
.LASF12:
	.string	"reason"
.LASF8:
	.string	"queue_send_twice"
.LASF10:
	.string	"packet"
.LASF18:
	.string	"checksum"
.LASF15:
	.string	"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -gdwarf-5 -O2 -fno-inline -fno-ident -fasynchronous-unwind-tables"
.LASF6:
	.string	"queue"
.LASF13:
	.string	"ring"
.LASF7:
	.string	"chosen_checksum"
.LASF9:
	.string	"queue_send"
.LASF20:
	.string	"critical_enter"
.LASF16:
	.string	"trace"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"ring.c"
.LASF1:
	.string	"/src"
	.section	.note.GNU-stack,"",@progbits
