	.file	"ring.c"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 0 "/src" "ring.c"
	.p2align 4
	.globl	send_text
	.type	send_text, @function
send_text:
.LVL0:
.LFB3:
	.file 1 "ring.c"
	.loc 1 27 1 view -0
	.cfi_startproc
	.loc 1 28 2 view .LVU1
	.loc 1 28 9 view .LVU2
	movzbl	(%rsi), %edx
	testb	%dl, %dl
	je	.L5
	movl	4(%rdi), %ecx
.LBB12:
.LBB13:
.LBB14:
.LBB15:
	.loc 1 9 13 is_stmt 0 view .LVU3
	movl	(%rdi), %eax
	leal	64(%rcx), %r8d
	.loc 1 9 13 view .LVU4
.LBE15:
.LBE14:
.LBE13:
.LBE12:
	.loc 1 29 3 is_stmt 1 view .LVU5
.LVL1:
.LBB23:
.LBI12:
	.loc 1 12 12 view .LVU6
.LBB20:
	.loc 1 14 2 view .LVU7
.LBB18:
.LBI14:
	.loc 1 7 12 view .LVU8
.LBB16:
	.loc 1 9 2 view .LVU9
	.loc 1 9 2 is_stmt 0 view .LVU10
.LBE16:
.LBE18:
	.loc 1 14 5 view .LVU11
	cmpl	%eax, %r8d
	je	.L6
.L9:
	.loc 1 16 2 is_stmt 1 view .LVU12
	.loc 1 16 24 is_stmt 0 view .LVU13
	leal	1(%rax), %ecx
.LBE20:
.LBE23:
	.loc 1 28 20 view .LVU14
	addq	$1, %rsi
.LVL2:
.LBB24:
.LBB21:
	.loc 1 16 27 view .LVU15
	andl	$63, %eax
	.loc 1 16 24 view .LVU16
	movl	%ecx, (%rdi)
	.loc 1 16 50 view .LVU17
	movb	%dl, 8(%rdi,%rax)
	.loc 1 17 2 is_stmt 1 view .LVU18
.LVL3:
	.loc 1 17 2 is_stmt 0 view .LVU19
.LBE21:
.LBE24:
	.loc 1 28 20 is_stmt 1 view .LVU20
	.loc 1 28 9 view .LVU21
	movzbl	(%rsi), %edx
	testb	%dl, %dl
	je	.L5
	movl	%ecx, %eax
	.loc 1 29 3 view .LVU22
.LVL4:
.LBB25:
	.loc 1 12 12 view .LVU23
.LBB22:
	.loc 1 14 2 view .LVU24
.LBB19:
	.loc 1 7 12 view .LVU25
.LBB17:
	.loc 1 9 2 view .LVU26
	.loc 1 9 2 is_stmt 0 view .LVU27
.LBE17:
.LBE19:
	.loc 1 14 5 view .LVU28
	cmpl	%eax, %r8d
	jne	.L9
.L6:
	.loc 1 14 5 view .LVU29
.LBE22:
.LBE25:
	.loc 1 30 11 view .LVU30
	xorl	%eax, %eax
.LVL5:
	.loc 1 32 1 view .LVU31
	ret
	.p2align 4,,10
	.p2align 3
.L5:
	.loc 1 31 9 view .LVU32
	movl	$1, %eax
	ret
	.cfi_endproc
.LFE3:
	.size	send_text, .-send_text
	.p2align 4
	.globl	reset
	.type	reset, @function
reset:
.LVL6:
.LFB4:
	.loc 1 35 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 36 2 view .LVU34
	.loc 1 36 19 is_stmt 0 view .LVU35
	movl	(%rdi), %eax
	.loc 1 36 26 view .LVU36
	movl	%eax, %ecx
	subl	%esi, %ecx
	movl	%ecx, 4(%rdi)
	.loc 1 37 2 is_stmt 1 view .LVU37
.LVL7:
.LBB36:
.LBI36:
	.loc 1 20 13 view .LVU38
	.loc 1 22 9 view .LVU39
.LBB37:
.LBI37:
	.loc 1 12 12 view .LVU40
.LBB38:
	.loc 1 14 2 view .LVU41
	addl	$64, %ecx
	.loc 1 14 5 is_stmt 0 view .LVU42
	cmpl	$64, %esi
	je	.L17
	.p2align 4,,10
	.p2align 3
.L12:
	.loc 1 16 2 is_stmt 1 view .LVU43
	.loc 1 16 27 is_stmt 0 view .LVU44
	movl	%eax, %edx
	.loc 1 14 5 view .LVU45
	addl	$1, %eax
	.loc 1 16 27 view .LVU46
	andl	$63, %edx
	.loc 1 16 50 view .LVU47
	movb	$32, 8(%rdi,%rdx)
	.loc 1 17 2 is_stmt 1 view .LVU48
.LVL8:
	.loc 1 17 2 is_stmt 0 view .LVU49
.LBE38:
.LBE37:
	.loc 1 22 9 is_stmt 1 view .LVU50
.LBB41:
	.loc 1 12 12 view .LVU51
.LBB39:
	.loc 1 14 2 view .LVU52
	.loc 1 14 5 is_stmt 0 view .LVU53
	cmpl	%eax, %ecx
	jne	.L12
	movl	%ecx, (%rdi)
.LVL9:
	.loc 1 14 5 view .LVU54
.LBE39:
.LBE41:
.LBE36:
	.loc 1 38 2 is_stmt 1 view .LVU55
	.loc 1 38 13 is_stmt 0 view .LVU56
	movl	%ecx, 4(%rdi)
	.loc 1 39 1 view .LVU57
	ret
.LVL10:
	.p2align 4,,10
	.p2align 3
.L17:
.LBB43:
.LBB42:
.LBB40:
	.loc 1 14 5 view .LVU58
	movl	%eax, %ecx
.LVL11:
	.loc 1 14 5 view .LVU59
.LBE40:
.LBE42:
.LBE43:
	.loc 1 38 2 is_stmt 1 view .LVU60
	.loc 1 38 13 is_stmt 0 view .LVU61
	movl	%ecx, 4(%rdi)
	.loc 1 39 1 view .LVU62
	ret
	.cfi_endproc
.LFE4:
	.size	reset, .-reset
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x231
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0xa
	.long	.LASF13
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0xb
	.long	.LASF8
	.byte	0x48
	.byte	0x1
	.byte	0x2
	.byte	0x8
	.long	0x60
	.uleb128 0x4
	.long	.LASF2
	.byte	0x3
	.byte	0xb
	.long	0x65
	.byte	0
	.uleb128 0x4
	.long	.LASF3
	.byte	0x3
	.byte	0x11
	.long	0x65
	.byte	0x4
	.uleb128 0x4
	.long	.LASF4
	.byte	0x4
	.byte	0x7
	.long	0x6c
	.byte	0x8
	.byte	0
	.uleb128 0x8
	.long	0x2e
	.uleb128 0x5
	.byte	0x4
	.byte	0x7
	.long	.LASF5
	.uleb128 0xc
	.long	0x83
	.long	0x7c
	.uleb128 0xd
	.long	0x7c
	.byte	0x3f
	.byte	0
	.uleb128 0x5
	.byte	0x8
	.byte	0x7
	.long	.LASF6
	.uleb128 0x5
	.byte	0x1
	.byte	0x6
	.long	.LASF7
	.uleb128 0x8
	.long	0x83
	.uleb128 0xe
	.long	.LASF14
	.byte	0x1
	.byte	0x22
	.byte	0x6
	.quad	.LFB4
	.quad	.LFE4-.LFB4
	.uleb128 0x1
	.byte	0x9c
	.long	0x126
	.uleb128 0x6
	.long	.LASF8
	.byte	0x22
	.byte	0x19
	.long	0x126
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x6
	.long	.LASF9
	.byte	0x22
	.byte	0x23
	.long	0x12b
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x3
	.long	0x1cc
	.quad	.LBI36
	.byte	.LVU38
	.long	.LLRL6
	.byte	0x25
	.byte	0x2
	.uleb128 0x1
	.long	0x1e4
	.long	.LLST7
	.long	.LVUS7
	.uleb128 0x1
	.long	0x1d9
	.long	.LLST8
	.long	.LVUS8
	.uleb128 0x3
	.long	0x1f0
	.quad	.LBI37
	.byte	.LVU40
	.long	.LLRL9
	.byte	0x16
	.byte	0x9
	.uleb128 0x1
	.long	0x209
	.long	.LLST10
	.long	.LVUS10
	.uleb128 0x1
	.long	0x1fe
	.long	.LLST11
	.long	.LVUS11
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x7
	.long	0x2e
	.uleb128 0xf
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0x10
	.long	.LASF15
	.byte	0x1
	.byte	0x1a
	.byte	0x5
	.long	0x12b
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.long	0x1c7
	.uleb128 0x6
	.long	.LASF8
	.byte	0x1a
	.byte	0x1c
	.long	0x126
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x11
	.long	.LASF16
	.byte	0x1
	.byte	0x1a
	.byte	0x2e
	.long	0x1c7
	.long	.LLST0
	.long	.LVUS0
	.uleb128 0x3
	.long	0x1f0
	.quad	.LBI12
	.byte	.LVU6
	.long	.LLRL1
	.byte	0x1d
	.byte	0x8
	.uleb128 0x1
	.long	0x209
	.long	.LLST2
	.long	.LVUS2
	.uleb128 0x1
	.long	0x1fe
	.long	.LLST3
	.long	.LVUS3
	.uleb128 0x3
	.long	0x215
	.quad	.LBI14
	.byte	.LVU8
	.long	.LLRL4
	.byte	0xe
	.byte	0x6
	.uleb128 0x1
	.long	0x223
	.long	.LLST5
	.long	.LVUS5
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x7
	.long	0x8a
	.uleb128 0x12
	.long	.LASF17
	.byte	0x1
	.byte	0x14
	.byte	0xd
	.byte	0x1
	.long	0x1f0
	.uleb128 0x2
	.long	.LASF8
	.byte	0x14
	.byte	0x24
	.long	0x126
	.uleb128 0x2
	.long	.LASF10
	.byte	0x14
	.byte	0x2f
	.long	0x83
	.byte	0
	.uleb128 0x9
	.long	.LASF11
	.byte	0xc
	.long	0x12b
	.long	0x215
	.uleb128 0x2
	.long	.LASF8
	.byte	0xc
	.byte	0x23
	.long	0x126
	.uleb128 0x2
	.long	.LASF10
	.byte	0xc
	.byte	0x2e
	.long	0x83
	.byte	0
	.uleb128 0x9
	.long	.LASF12
	.byte	0x7
	.long	0x12b
	.long	0x22f
	.uleb128 0x2
	.long	.LASF8
	.byte	0x7
	.byte	0x2c
	.long	0x22f
	.byte	0
	.uleb128 0x7
	.long	0x60
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
	.uleb128 0x3
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
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0xd
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
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x5
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
	.uleb128 0x6
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
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 12
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xa
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
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
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
	.uleb128 0xc
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0xe
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
	.uleb128 0x11
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
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x12
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
	.uleb128 .LVU39
	.uleb128 .LVU54
	.uleb128 .LVU58
	.uleb128 .LVU59
.LLST7:
	.byte	0x4
	.uleb128 .LVL7-.Ltext0
	.uleb128 .LVL9-.Ltext0
	.uleb128 0x3
	.byte	0x8
	.byte	0x20
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL10-.Ltext0
	.uleb128 .LVL11-.Ltext0
	.uleb128 0x3
	.byte	0x8
	.byte	0x20
	.byte	0x9f
	.byte	0
.LVUS8:
	.uleb128 .LVU38
	.uleb128 .LVU54
	.uleb128 .LVU58
	.uleb128 .LVU59
.LLST8:
	.byte	0x4
	.uleb128 .LVL7-.Ltext0
	.uleb128 .LVL9-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL10-.Ltext0
	.uleb128 .LVL11-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0
.LVUS10:
	.uleb128 .LVU40
	.uleb128 .LVU49
	.uleb128 .LVU51
	.uleb128 .LVU54
	.uleb128 .LVU58
	.uleb128 .LVU59
.LLST10:
	.byte	0x4
	.uleb128 .LVL7-.Ltext0
	.uleb128 .LVL8-.Ltext0
	.uleb128 0x3
	.byte	0x8
	.byte	0x20
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL8-.Ltext0
	.uleb128 .LVL9-.Ltext0
	.uleb128 0x3
	.byte	0x8
	.byte	0x20
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL10-.Ltext0
	.uleb128 .LVL11-.Ltext0
	.uleb128 0x3
	.byte	0x8
	.byte	0x20
	.byte	0x9f
	.byte	0
.LVUS11:
	.uleb128 .LVU40
	.uleb128 .LVU49
	.uleb128 .LVU51
	.uleb128 .LVU54
	.uleb128 .LVU58
	.uleb128 .LVU59
.LLST11:
	.byte	0x4
	.uleb128 .LVL7-.Ltext0
	.uleb128 .LVL8-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL8-.Ltext0
	.uleb128 .LVL9-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL10-.Ltext0
	.uleb128 .LVL11-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0
.LVUS0:
	.uleb128 0
	.uleb128 .LVU15
	.uleb128 .LVU15
	.uleb128 .LVU21
	.uleb128 .LVU21
	.uleb128 0
.LLST0:
	.byte	0x4
	.uleb128 .LVL0-.Ltext0
	.uleb128 .LVL2-.Ltext0
	.uleb128 0x1
	.byte	0x54
	.byte	0x4
	.uleb128 .LVL2-.Ltext0
	.uleb128 .LVL3-.Ltext0
	.uleb128 0x3
	.byte	0x74
	.sleb128 -1
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL3-.Ltext0
	.uleb128 .LFE3-.Ltext0
	.uleb128 0x1
	.byte	0x54
	.byte	0
.LVUS2:
	.uleb128 .LVU6
	.uleb128 .LVU19
	.uleb128 .LVU23
	.uleb128 .LVU31
.LLST2:
	.byte	0x4
	.uleb128 .LVL1-.Ltext0
	.uleb128 .LVL3-.Ltext0
	.uleb128 0x1
	.byte	0x51
	.byte	0x4
	.uleb128 .LVL4-.Ltext0
	.uleb128 .LVL5-.Ltext0
	.uleb128 0x1
	.byte	0x51
	.byte	0
.LVUS3:
	.uleb128 .LVU6
	.uleb128 .LVU19
	.uleb128 .LVU23
	.uleb128 .LVU31
.LLST3:
	.byte	0x4
	.uleb128 .LVL1-.Ltext0
	.uleb128 .LVL3-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL4-.Ltext0
	.uleb128 .LVL5-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0
.LVUS5:
	.uleb128 .LVU8
	.uleb128 .LVU10
	.uleb128 .LVU25
	.uleb128 .LVU27
.LLST5:
	.byte	0x4
	.uleb128 .LVL1-.Ltext0
	.uleb128 .LVL1-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL4-.Ltext0
	.uleb128 .LVL4-.Ltext0
	.uleb128 0x1
	.byte	0x55
	.byte	0
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
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
.LLRL1:
	.byte	0x4
	.uleb128 .LBB12-.Ltext0
	.uleb128 .LBE12-.Ltext0
	.byte	0x4
	.uleb128 .LBB23-.Ltext0
	.uleb128 .LBE23-.Ltext0
	.byte	0x4
	.uleb128 .LBB24-.Ltext0
	.uleb128 .LBE24-.Ltext0
	.byte	0x4
	.uleb128 .LBB25-.Ltext0
	.uleb128 .LBE25-.Ltext0
	.byte	0
.LLRL4:
	.byte	0x4
	.uleb128 .LBB14-.Ltext0
	.uleb128 .LBE14-.Ltext0
	.byte	0x4
	.uleb128 .LBB18-.Ltext0
	.uleb128 .LBE18-.Ltext0
	.byte	0x4
	.uleb128 .LBB19-.Ltext0
	.uleb128 .LBE19-.Ltext0
	.byte	0
.LLRL6:
	.byte	0x4
	.uleb128 .LBB36-.Ltext0
	.uleb128 .LBE36-.Ltext0
	.byte	0x4
	.uleb128 .LBB43-.Ltext0
	.uleb128 .LBE43-.Ltext0
	.byte	0
.LLRL9:
	.byte	0x4
	.uleb128 .LBB37-.Ltext0
	.uleb128 .LBE37-.Ltext0
	.byte	0x4
	.uleb128 .LBB41-.Ltext0
	.uleb128 .LBE41-.Ltext0
	.byte	0x4
	.uleb128 .LBB42-.Ltext0
	.uleb128 .LBE42-.Ltext0
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF5:
	.string	"unsigned int"
.LASF11:
	.string	"ring_push"
.LASF4:
	.string	"slots"
.LASF2:
	.string	"head"
.LASF10:
	.string	"byte"
.LASF6:
	.string	"long unsigned int"
.LASF13:
	.string	"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fno-asynchronous-unwind-tables -fcf-protection=none -fno-stack-protector -fno-pie"
.LASF14:
	.string	"reset"
.LASF17:
	.string	"ring_fill"
.LASF9:
	.string	"limit"
.LASF12:
	.string	"ring_is_full"
.LASF3:
	.string	"tail"
.LASF8:
	.string	"ring"
.LASF15:
	.string	"send_text"
.LASF16:
	.string	"text"
.LASF7:
	.string	"char"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"ring.c"
.LASF1:
	.string	"/src"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
