	.file	"ring.c"
	.text
.Ltext0:
	.file 0 "/src" "ring.c"
	.p2align 4
	.type	checksum, @function
checksum:
.LVL0:
	# DEBUG packet => di
.LFB2:
	.file 1 "ring.h"
	# ring.h:24:1
	.loc 1 24 1 view -0
	.cfi_startproc
# BLOCK 2, count:1073741824 (estimated locally) seq:0
# PRED: ENTRY [always]  count:1073741824 (estimated locally) (FALLTHRU)
	# ring.h:25:2
	.loc 1 25 2 view .LVU1
	# ring.h:25:16
	.loc 1 25 16 is_stmt 0 view .LVU2
	movl	%edi, %eax
	# ring.h:25:21
	.loc 1 25 21 view .LVU3
	movl	pending(%rip), %edx
	# ring.h:25:16
	.loc 1 25 16 view .LVU4
	sall	$5, %eax
	subl	%edi, %eax
	# ring.h:25:21
	.loc 1 25 21 view .LVU5
	addl	%edx, %eax
# SUCC: EXIT [always]  count:1073741824 (estimated locally)
	# ring.h:26:1
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
	# DEBUG reason => di
.LFB4:
	.file 2 "ring.c"
	# ring.c:9:1
	.loc 2 9 1 is_stmt 1 view -0
	.cfi_startproc
# BLOCK 2, count:1073741824 (estimated locally) seq:0
# PRED: ENTRY [always]  count:1073741824 (estimated locally) (FALLTHRU)
	# ring.c:10:2
	.loc 2 10 2 view .LVU8
	# ring.c:10:10
	.loc 2 10 10 is_stmt 0 view .LVU9
	movl	%edi, pending(%rip)
# SUCC: EXIT [always]  count:1073741824 (estimated locally) ring.c:11:1
	# ring.c:11:1
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
	# DEBUG packet => di
.LFB5:
	# ring.c:14:1
	.loc 2 14 1 is_stmt 1 view -0
	.cfi_startproc
# BLOCK 2, count:1073741824 (estimated locally) seq:0
# PRED: ENTRY [always]  count:1073741824 (estimated locally) (FALLTHRU)
	# ring.c:15:2
	.loc 2 15 2 view .LVU12
	# DEBUG packet => di
.LBB20:
.LBI20:
	# ring.h:23:19
	.loc 1 23 19 view .LVU13
.LBB21:
	# ring.h:25:2
	.loc 1 25 2 view .LVU14
	# ring.h:25:21
	.loc 1 25 21 is_stmt 0 view .LVU15
	movl	pending(%rip), %edx
.LVL3:
	# DEBUG packet RESET
	# ring.h:25:21
	.loc 1 25 21 view .LVU16
.LBE21:
.LBE20:
	# ring.c:14:1
	.loc 2 14 1 view .LVU17
	movl	%edi, %eax
.LBB23:
.LBB22:
	# ring.h:25:21
	.loc 1 25 21 view .LVU18
	subl	%edi, %edx
.LBE22:
.LBE23:
	# ring.c:15:5
	.loc 2 15 5 view .LVU19
	andl	$1, %edx
# SUCC: 5 [never]  count:0 (precise) (CROSSING,CAN_FALLTHRU) 3 [always]  count:1073741824 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
	jne	.L13
# BLOCK 3, count:1073741824 (estimated locally) seq:1
# PRED: 5 [never]  count:0 (precise) (CROSSING) 2 [always]  count:1073741824 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
.L5:
	# ring.c:17:2
	.loc 2 17 2 is_stmt 1 view .LVU20
.LVL4:
	# DEBUG ring => `queue'
	# DEBUG item => di
.LBB24:
.LBI24:
	# ring.h:16:12
	.loc 1 16 12 view .LVU21
.LBB25:
	# ring.h:18:2
	.loc 1 18 2 view .LVU22
.LBB26:
.LBI26:
	# ring.h:10:13
	.loc 1 10 13 view .LVU23
.LBB27:
	# ring.h:12:2
	.loc 1 12 2 view .LVU24
	# ring.h:12:30
	.loc 1 12 30 is_stmt 0 view .LVU25
	movl	pending(%rip), %edx
	leal	1(%rdx), %ecx
	movl	%ecx, pending(%rip)
	# ring.h:12:5
	.loc 1 12 5 view .LVU26
	testl	%edx, %edx
# SUCC: 6 [never]  count:0 (precise) (CROSSING,CAN_FALLTHRU) 4 [always]  count:1073741824 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
	jne	.L14
.LVL5:
	# DEBUG packet => ax
	# DEBUG item => ax
# BLOCK 4, count:1073741824 (estimated locally) seq:2
# PRED: 6 [never]  count:0 (precise) (CROSSING) 3 [always]  count:1073741824 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
.L6:
	# ring.h:12:5
	.loc 1 12 5 view .LVU27
.LBE27:
.LBE26:
	# ring.h:19:2
	.loc 1 19 2 is_stmt 1 view .LVU28
	# ring.h:19:18
	.loc 1 19 18 is_stmt 0 view .LVU29
	movl	queue(%rip), %edx
	# ring.h:19:24
	.loc 1 19 24 view .LVU30
	leal	1(%rdx), %ecx
	# ring.h:19:33
	.loc 1 19 33 view .LVU31
	andl	$63, %edx
	# ring.h:19:24
	.loc 1 19 24 view .LVU32
	movl	%ecx, queue(%rip)
	# ring.h:19:33
	.loc 1 19 33 view .LVU33
	leaq	queue(%rip), %rcx
	movl	%eax, 4(%rcx,%rdx,4)
	# ring.h:20:2
	.loc 1 20 2 is_stmt 1 view .LVU34
	# ring.h:20:16
	.loc 1 20 16 is_stmt 0 view .LVU35
	movl	pending(%rip), %eax
.LVL6:
	# DEBUG packet => [dx<<0x2+cx+0x4]
	# DEBUG item => [dx<<0x2+cx+0x4]
	# ring.h:20:16
	.loc 1 20 16 view .LVU36
	leal	-1(%rax), %edx
.LVL7:
	# DEBUG packet => [zxn([cx]-0x1&0x3f)<<0x2+cx+0x4]
	# DEBUG item => [zxn([cx]-0x1&0x3f)<<0x2+cx+0x4]
	# ring.h:20:16
	.loc 1 20 16 view .LVU37
	movl	%edx, pending(%rip)
.LVL8:
	# DEBUG ring RESET
	# DEBUG item RESET
	# ring.h:20:16
	.loc 1 20 16 view .LVU38
.LBE25:
.LBE24:
# SUCC: EXIT [always]  count:1073741824 (estimated locally)
	# ring.c:18:1
	.loc 2 18 1 view .LVU39
	ret
.LVL9:
	# DEBUG packet => ax
	# ring.c:18:1
	.loc 2 18 1 view .LVU40
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.type	queue_send.cold, @function
queue_send.cold:
.LFSB5:
# BLOCK 5, count:0 (precise) seq:3
# PRED: 2 [never]  count:0 (precise) (CROSSING,CAN_FALLTHRU)
.L13:
	# ring.c:16:3
	.loc 2 16 3 is_stmt 1 view -0
	call	device_reset
.LVL10:
# SUCC: 3 [never]  count:0 (precise) (CROSSING)
	jmp	.L5
.LVL11:
	# DEBUG ring => `queue'
	# DEBUG item => ax
# BLOCK 6, count:0 (precise) seq:4
# PRED: 3 [never]  count:0 (precise) (CROSSING,CAN_FALLTHRU)
.L14:
.LBB31:
.LBB30:
.LBB29:
.LBB28:
	# ring.h:13:3
	.loc 1 13 3 view .LVU42
	movl	$1, %edi
	call	device_reset
.LVL12:
# SUCC: 4 [never]  count:0 (precise) (CROSSING)
	jmp	.L6
.LBE28:
.LBE29:
.LBE30:
.LBE31:
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
.LVL13:
	# DEBUG packet => di
.LFB6:
	# ring.c:21:1
	.loc 2 21 1 view -0
	.cfi_startproc
# BLOCK 2, count:1073741824 (estimated locally) seq:0
# PRED: ENTRY [always]  count:1073741824 (estimated locally) (FALLTHRU)
	# ring.c:22:2
	.loc 2 22 2 view .LVU44
	# DEBUG unused => di
	# ring.c:23:2
	.loc 2 23 2 view .LVU45
	# ring.c:21:1
	.loc 2 21 1 is_stmt 0 view .LVU46
	movl	%edi, %esi
	# ring.c:23:9
	.loc 2 23 9 view .LVU47
	call	queue_send
.LVL14:
	# DEBUG unused => si
	# DEBUG packet => si
.LBB32:
.LBB33:
.LBB34:
.LBB35:
	# ring.h:12:30
	.loc 1 12 30 view .LVU48
	movl	pending(%rip), %edx
.LBE35:
.LBE34:
.LBE33:
.LBE32:
	# ring.c:23:30
	.loc 2 23 30 view .LVU49
	addl	$1, %esi
.LVL15:
	# DEBUG packet => si-0x1
	# DEBUG unused => si-0x1
	# DEBUG ring => `queue'
	# DEBUG item => si
.LBB43:
.LBI32:
	# ring.h:16:12
	.loc 1 16 12 is_stmt 1 view .LVU50
.LBB40:
	# ring.h:18:2
	.loc 1 18 2 view .LVU51
.LBB38:
.LBI34:
	# ring.h:10:13
	.loc 1 10 13 view .LVU52
.LBB36:
	# ring.h:12:2
	.loc 1 12 2 view .LVU53
	# ring.h:12:30
	.loc 1 12 30 is_stmt 0 view .LVU54
	leal	1(%rdx), %ecx
	movl	%ecx, pending(%rip)
	# ring.h:12:5
	.loc 1 12 5 view .LVU55
	testl	%edx, %edx
# SUCC: 4 [never]  count:0 (precise) (CROSSING,CAN_FALLTHRU) 3 [always]  count:1073741824 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
	jne	.L20
# BLOCK 3, count:1073741824 (estimated locally) seq:1
# PRED: 4 [never]  count:0 (precise) (CROSSING) 2 [always]  count:1073741824 (estimated locally) (FALLTHRU,CAN_FALLTHRU)
.L16:
.LBE36:
.LBE38:
	# ring.h:19:2
	.loc 1 19 2 is_stmt 1 view .LVU56
	# ring.h:19:18
	.loc 1 19 18 is_stmt 0 view .LVU57
	movl	queue(%rip), %edx
	# ring.h:19:24
	.loc 1 19 24 view .LVU58
	leal	1(%rdx), %ecx
	# ring.h:19:33
	.loc 1 19 33 view .LVU59
	andl	$63, %edx
	# ring.h:19:24
	.loc 1 19 24 view .LVU60
	movl	%ecx, queue(%rip)
	# ring.h:19:33
	.loc 1 19 33 view .LVU61
	leaq	queue(%rip), %rcx
	movl	%esi, 4(%rcx,%rdx,4)
	# ring.h:20:2
	.loc 1 20 2 is_stmt 1 view .LVU62
	# ring.h:20:16
	.loc 1 20 16 is_stmt 0 view .LVU63
	movl	pending(%rip), %edx
	leal	-1(%rdx), %ecx
.LBE40:
.LBE43:
	# ring.c:23:28
	.loc 2 23 28 view .LVU64
	addl	%edx, %eax
.LBB44:
.LBB41:
	# ring.h:20:16
	.loc 1 20 16 view .LVU65
	movl	%ecx, pending(%rip)
.LVL16:
	# DEBUG ring RESET
	# DEBUG item RESET
	# ring.h:20:16
	.loc 1 20 16 view .LVU66
.LBE41:
.LBE44:
# SUCC: EXIT [always]  count:1073741824 (estimated locally)
	# ring.c:24:1
	.loc 2 24 1 view .LVU67
	ret
.LVL17:
	# DEBUG ring => `queue'
	# DEBUG item => si
	# ring.c:24:1
	.loc 2 24 1 view .LVU68
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.type	queue_send_twice.cold, @function
queue_send_twice.cold:
.LFSB6:
# BLOCK 4, count:0 (precise) seq:2
# PRED: 2 [never]  count:0 (precise) (CROSSING,CAN_FALLTHRU)
.L20:
.LBB45:
.LBB42:
.LBB39:
.LBB37:
	# ring.h:13:3
	.loc 1 13 3 is_stmt 1 view .LVU43
	movl	$1, %edi
	call	device_reset
.LVL18:
# SUCC: 3 [never]  count:0 (precise) (CROSSING)
	jmp	.L16
.LBE37:
.LBE39:
.LBE42:
.LBE45:
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
	.long	0x2c4	# Length of Compilation Unit Info
	.value	0x5	# DWARF version number
	.byte	0x1	# DW_UT_compile
	.byte	0x8	# Pointer Size (in bytes)
	.long	.Ldebug_abbrev0	# Offset Into Abbrev. Section
	.uleb128 0xd	# (DIE (0xc) DW_TAG_compile_unit)
	.long	.LASF16	# DW_AT_producer: "GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -gdwarf-5 -O2 -fno-ident -fasynchronous-unwind-tables"
	.byte	0x1d	# DW_AT_language
	.long	.LASF0	# DW_AT_name: "ring.c"
	.long	.LASF1	# DW_AT_comp_dir: "/src"
	.long	.LLRL14	# DW_AT_ranges
	.quad	0	# DW_AT_low_pc
	.long	.Ldebug_line0	# DW_AT_stmt_list
	.uleb128 0xe	# (DIE (0x2a) DW_TAG_structure_type)
	.long	.LASF14	# DW_AT_name: "ring"
	.value	0x104	# DW_AT_byte_size
	.byte	0x1	# DW_AT_decl_file (ring.h)
	.byte	0x3	# DW_AT_decl_line
	.byte	0x8	# DW_AT_decl_column
	.long	0x4f	# DW_AT_sibling
	.uleb128 0x6	# (DIE (0x38) DW_TAG_member)
	.long	.LASF2	# DW_AT_name: "head"
			# DW_AT_decl_file (1, ring.h)
			# DW_AT_decl_line (0x4)
	.byte	0x6	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.byte	0	# DW_AT_data_member_location
	.uleb128 0x6	# (DIE (0x43) DW_TAG_member)
	.long	.LASF3	# DW_AT_name: "items"
			# DW_AT_decl_file (1, ring.h)
			# DW_AT_decl_line (0x4)
	.byte	0xc	# DW_AT_decl_column
	.long	0x5b	# DW_AT_type
	.byte	0x4	# DW_AT_data_member_location
	.byte	0	# end of children of DIE 0x2a
	.uleb128 0xf	# (DIE (0x4f) DW_TAG_base_type)
	.byte	0x4	# DW_AT_byte_size
	.byte	0x5	# DW_AT_encoding
	.ascii "int\0"	# DW_AT_name
	.uleb128 0x10	# (DIE (0x56) DW_TAG_volatile_type)
	.long	0x4f	# DW_AT_type
	.uleb128 0x11	# (DIE (0x5b) DW_TAG_array_type)
	.long	0x4f	# DW_AT_type
	.long	0x6b	# DW_AT_sibling
	.uleb128 0x12	# (DIE (0x64) DW_TAG_subrange_type)
	.long	0x6b	# DW_AT_type
	.byte	0x3f	# DW_AT_upper_bound
	.byte	0	# end of children of DIE 0x5b
	.uleb128 0x13	# (DIE (0x6b) DW_TAG_base_type)
	.byte	0x8	# DW_AT_byte_size
	.byte	0x7	# DW_AT_encoding
	.long	.LASF4	# DW_AT_name: "long unsigned int"
	.uleb128 0x14	# (DIE (0x72) DW_TAG_variable)
	.long	.LASF5	# DW_AT_name: "pending"
	.byte	0x1	# DW_AT_decl_file (ring.h)
	.byte	0x7	# DW_AT_decl_line
	.byte	0x15	# DW_AT_decl_column
	.long	0x56	# DW_AT_type
			# DW_AT_external
			# DW_AT_declaration
	.uleb128 0x7	# (DIE (0x7e) DW_TAG_variable)
	.long	.LASF6	# DW_AT_name: "queue"
			# DW_AT_decl_file (2, ring.c)
	.byte	0x6	# DW_AT_decl_line
	.byte	0xd	# DW_AT_decl_column
	.long	0x2a	# DW_AT_type
			# DW_AT_external
	.uleb128 0x9	# DW_AT_location
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.uleb128 0x15	# (DIE (0x93) DW_TAG_subroutine_type)
			# DW_AT_prototyped
	.long	0x4f	# DW_AT_type
	.long	0xa2	# DW_AT_sibling
	.uleb128 0x16	# (DIE (0x9c) DW_TAG_formal_parameter)
	.long	0x4f	# DW_AT_type
	.byte	0	# end of children of DIE 0x93
	.uleb128 0x7	# (DIE (0xa2) DW_TAG_variable)
	.long	.LASF7	# DW_AT_name: "chosen_checksum"
			# DW_AT_decl_file (2, ring.c)
	.byte	0x1a	# DW_AT_decl_line
	.byte	0x7	# DW_AT_decl_column
	.long	0xb7	# DW_AT_type
			# DW_AT_external
	.uleb128 0x9	# DW_AT_location
	.byte	0x3	# DW_OP_addr
	.quad	chosen_checksum
	.uleb128 0x8	# (DIE (0xb7) DW_TAG_pointer_type)
			# DW_AT_byte_size (0x8)
	.long	0x93	# DW_AT_type
	.uleb128 0x9	# (DIE (0xbc) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF8	# DW_AT_name: "queue_send_twice"
			# DW_AT_decl_file (2, ring.c)
	.byte	0x14	# DW_AT_decl_line
			# DW_AT_decl_column (0x5)
			# DW_AT_prototyped
	.long	0x4f	# DW_AT_type
	.long	.LLRL8	# DW_AT_ranges
	.uleb128 0x1	# DW_AT_frame_base
	.byte	0x9c	# DW_OP_call_frame_cfa
			# DW_AT_call_all_calls
	.long	0x152	# DW_AT_sibling
	.uleb128 0xa	# (DIE (0xd0) DW_TAG_formal_parameter)
	.long	.LASF10	# DW_AT_name: "packet"
			# DW_AT_decl_file (2, ring.c)
	.byte	0x14	# DW_AT_decl_line
	.byte	0x1a	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.long	.LLST9	# DW_AT_location
	.long	.LVUS9	# DW_AT_GNU_locviews
	.uleb128 0x3	# (DIE (0xe3) DW_TAG_inlined_subroutine)
	.long	0x274	# DW_AT_abstract_origin
	.quad	.LBI32	# DW_AT_entry_pc
	.byte	.LVU50	# DW_AT_GNU_entry_view
	.long	.LLRL10	# DW_AT_ranges
			# DW_AT_call_file (2, ring.c)
	.byte	0x17	# DW_AT_call_line
	.byte	0x1e	# DW_AT_call_column
	.long	0x13d	# DW_AT_sibling
	.uleb128 0x1	# (DIE (0xfb) DW_TAG_formal_parameter)
	.long	0x28e	# DW_AT_abstract_origin
	.long	.LLST11	# DW_AT_location
	.long	.LVUS11	# DW_AT_GNU_locviews
	.uleb128 0x1	# (DIE (0x108) DW_TAG_formal_parameter)
	.long	0x283	# DW_AT_abstract_origin
	.long	.LLST12	# DW_AT_location
	.long	.LVUS12	# DW_AT_GNU_locviews
	.uleb128 0xb	# (DIE (0x115) DW_TAG_inlined_subroutine)
	.long	0x29f	# DW_AT_abstract_origin
	.quad	.LBI34	# DW_AT_entry_pc
	.byte	.LVU52	# DW_AT_GNU_entry_view
	.long	.LLRL13	# DW_AT_ranges
			# DW_AT_call_file (1, ring.h)
			# DW_AT_call_line (0x12)
			# DW_AT_call_column (0x2)
	.uleb128 0x4	# (DIE (0x127) DW_TAG_call_site)
	.quad	.LVL18	# DW_AT_call_return_pc
	.long	0x207	# DW_AT_call_origin
	.uleb128 0x5	# (DIE (0x134) DW_TAG_call_site_parameter)
	.uleb128 0x1	# DW_AT_location
	.byte	0x55	# DW_OP_reg5
	.uleb128 0x2	# DW_AT_call_value
	.byte	0x75	# DW_OP_breg5
	.sleb128 0
	.byte	0	# end of children of DIE 0x127
	.byte	0	# end of children of DIE 0x115
	.byte	0	# end of children of DIE 0xe3
	.uleb128 0x4	# (DIE (0x13d) DW_TAG_call_site)
	.quad	.LVL14	# DW_AT_call_return_pc
	.long	0x152	# DW_AT_call_origin
	.uleb128 0x5	# (DIE (0x14a) DW_TAG_call_site_parameter)
	.uleb128 0x1	# DW_AT_location
	.byte	0x55	# DW_OP_reg5
	.uleb128 0x2	# DW_AT_call_value
	.byte	0x74	# DW_OP_breg4
	.sleb128 0
	.byte	0	# end of children of DIE 0x13d
	.byte	0	# end of children of DIE 0xbc
	.uleb128 0x9	# (DIE (0x152) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF9	# DW_AT_name: "queue_send"
			# DW_AT_decl_file (2, ring.c)
	.byte	0xd	# DW_AT_decl_line
			# DW_AT_decl_column (0x5)
			# DW_AT_prototyped
	.long	0x4f	# DW_AT_type
	.long	.LLRL0	# DW_AT_ranges
	.uleb128 0x1	# DW_AT_frame_base
	.byte	0x9c	# DW_OP_call_frame_cfa
			# DW_AT_call_all_calls
	.long	0x207	# DW_AT_sibling
	.uleb128 0xa	# (DIE (0x166) DW_TAG_formal_parameter)
	.long	.LASF10	# DW_AT_name: "packet"
			# DW_AT_decl_file (2, ring.c)
	.byte	0xd	# DW_AT_decl_line
	.byte	0x14	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.long	.LLST1	# DW_AT_location
	.long	.LVUS1	# DW_AT_GNU_locviews
	.uleb128 0x3	# (DIE (0x179) DW_TAG_inlined_subroutine)
	.long	0x259	# DW_AT_abstract_origin
	.quad	.LBI20	# DW_AT_entry_pc
	.byte	.LVU13	# DW_AT_GNU_entry_view
	.long	.LLRL2	# DW_AT_ranges
			# DW_AT_call_file (2, ring.c)
	.byte	0xf	# DW_AT_call_line
	.byte	0x6	# DW_AT_call_column
	.long	0x19f	# DW_AT_sibling
	.uleb128 0x1	# (DIE (0x191) DW_TAG_formal_parameter)
	.long	0x268	# DW_AT_abstract_origin
	.long	.LLST3	# DW_AT_location
	.long	.LVUS3	# DW_AT_GNU_locviews
	.byte	0	# end of children of DIE 0x179
	.uleb128 0x3	# (DIE (0x19f) DW_TAG_inlined_subroutine)
	.long	0x274	# DW_AT_abstract_origin
	.quad	.LBI24	# DW_AT_entry_pc
	.byte	.LVU21	# DW_AT_GNU_entry_view
	.long	.LLRL4	# DW_AT_ranges
			# DW_AT_call_file (2, ring.c)
	.byte	0x11	# DW_AT_call_line
	.byte	0x9	# DW_AT_call_column
	.long	0x1f9	# DW_AT_sibling
	.uleb128 0x1	# (DIE (0x1b7) DW_TAG_formal_parameter)
	.long	0x28e	# DW_AT_abstract_origin
	.long	.LLST5	# DW_AT_location
	.long	.LVUS5	# DW_AT_GNU_locviews
	.uleb128 0x1	# (DIE (0x1c4) DW_TAG_formal_parameter)
	.long	0x283	# DW_AT_abstract_origin
	.long	.LLST6	# DW_AT_location
	.long	.LVUS6	# DW_AT_GNU_locviews
	.uleb128 0xb	# (DIE (0x1d1) DW_TAG_inlined_subroutine)
	.long	0x29f	# DW_AT_abstract_origin
	.quad	.LBI26	# DW_AT_entry_pc
	.byte	.LVU23	# DW_AT_GNU_entry_view
	.long	.LLRL7	# DW_AT_ranges
			# DW_AT_call_file (1, ring.h)
			# DW_AT_call_line (0x12)
			# DW_AT_call_column (0x2)
	.uleb128 0x4	# (DIE (0x1e3) DW_TAG_call_site)
	.quad	.LVL12	# DW_AT_call_return_pc
	.long	0x207	# DW_AT_call_origin
	.uleb128 0x5	# (DIE (0x1f0) DW_TAG_call_site_parameter)
	.uleb128 0x1	# DW_AT_location
	.byte	0x55	# DW_OP_reg5
	.uleb128 0x2	# DW_AT_call_value
	.byte	0x75	# DW_OP_breg5
	.sleb128 0
	.byte	0	# end of children of DIE 0x1e3
	.byte	0	# end of children of DIE 0x1d1
	.byte	0	# end of children of DIE 0x19f
	.uleb128 0x17	# (DIE (0x1f9) DW_TAG_call_site)
	.quad	.LVL10	# DW_AT_call_return_pc
	.long	0x207	# DW_AT_call_origin
	.byte	0	# end of children of DIE 0x152
	.uleb128 0x18	# (DIE (0x207) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF11	# DW_AT_name: "device_reset"
	.byte	0x2	# DW_AT_decl_file (ring.c)
	.byte	0x8	# DW_AT_decl_line
	.byte	0x6	# DW_AT_decl_column
			# DW_AT_prototyped
	.quad	.LFB4	# DW_AT_low_pc
	.quad	.LFE4-.LFB4	# DW_AT_high_pc
	.uleb128 0x1	# DW_AT_frame_base
	.byte	0x9c	# DW_OP_call_frame_cfa
			# DW_AT_call_all_calls
	.long	0x234	# DW_AT_sibling
	.uleb128 0x19	# (DIE (0x225) DW_TAG_formal_parameter)
	.long	.LASF17	# DW_AT_name: "reason"
	.byte	0x2	# DW_AT_decl_file (ring.c)
	.byte	0x8	# DW_AT_decl_line
	.byte	0x17	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.uleb128 0x1	# DW_AT_location
	.byte	0x55	# DW_OP_reg5
	.byte	0	# end of children of DIE 0x207
	.uleb128 0x1a	# (DIE (0x234) DW_TAG_subprogram)
	.long	.LASF18	# DW_AT_name: "trace"
	.byte	0x1	# DW_AT_decl_file (ring.h)
	.byte	0x1d	# DW_AT_decl_line
	.byte	0xd	# DW_AT_decl_column
			# DW_AT_prototyped
	.byte	0x3	# DW_AT_inline
	.long	0x259	# DW_AT_sibling
	.uleb128 0x2	# (DIE (0x241) DW_TAG_formal_parameter)
	.long	.LASF10	# DW_AT_name: "packet"
			# DW_AT_decl_file (1, ring.h)
	.byte	0x1d	# DW_AT_decl_line
	.byte	0x17	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.uleb128 0x1b	# (DIE (0x24c) DW_TAG_variable)
	.long	.LASF19	# DW_AT_name: "unused"
	.byte	0x1	# DW_AT_decl_file (ring.h)
	.byte	0x1f	# DW_AT_decl_line
	.byte	0x6	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.byte	0	# end of children of DIE 0x234
	.uleb128 0xc	# (DIE (0x259) DW_TAG_subprogram)
	.long	.LASF12	# DW_AT_name: "checksum"
			# DW_AT_decl_file (1, ring.h)
	.byte	0x17	# DW_AT_decl_line
	.byte	0x13	# DW_AT_decl_column
			# DW_AT_prototyped
	.long	0x4f	# DW_AT_type
			# DW_AT_inline (0x3)
	.long	0x274	# DW_AT_sibling
	.uleb128 0x2	# (DIE (0x268) DW_TAG_formal_parameter)
	.long	.LASF10	# DW_AT_name: "packet"
			# DW_AT_decl_file (1, ring.h)
	.byte	0x17	# DW_AT_decl_line
	.byte	0x20	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.byte	0	# end of children of DIE 0x259
	.uleb128 0xc	# (DIE (0x274) DW_TAG_subprogram)
	.long	.LASF13	# DW_AT_name: "ring_put"
			# DW_AT_decl_file (1, ring.h)
	.byte	0x10	# DW_AT_decl_line
	.byte	0xc	# DW_AT_decl_column
			# DW_AT_prototyped
	.long	0x4f	# DW_AT_type
			# DW_AT_inline (0x3)
	.long	0x29a	# DW_AT_sibling
	.uleb128 0x2	# (DIE (0x283) DW_TAG_formal_parameter)
	.long	.LASF14	# DW_AT_name: "ring"
			# DW_AT_decl_file (1, ring.h)
	.byte	0x10	# DW_AT_decl_line
	.byte	0x22	# DW_AT_decl_column
	.long	0x29a	# DW_AT_type
	.uleb128 0x2	# (DIE (0x28e) DW_TAG_formal_parameter)
	.long	.LASF15	# DW_AT_name: "item"
			# DW_AT_decl_file (1, ring.h)
	.byte	0x10	# DW_AT_decl_line
	.byte	0x2c	# DW_AT_decl_column
	.long	0x4f	# DW_AT_type
	.byte	0	# end of children of DIE 0x274
	.uleb128 0x8	# (DIE (0x29a) DW_TAG_pointer_type)
			# DW_AT_byte_size (0x8)
	.long	0x2a	# DW_AT_type
	.uleb128 0x1c	# (DIE (0x29f) DW_TAG_subprogram)
	.long	.LASF20	# DW_AT_name: "critical_enter"
	.byte	0x1	# DW_AT_decl_file (ring.h)
	.byte	0xa	# DW_AT_decl_line
	.byte	0xd	# DW_AT_decl_column
			# DW_AT_prototyped
	.byte	0x3	# DW_AT_inline
	.uleb128 0x1d	# (DIE (0x2a8) DW_TAG_subprogram)
	.long	0x259	# DW_AT_abstract_origin
	.quad	.LFB2	# DW_AT_low_pc
	.quad	.LFE2-.LFB2	# DW_AT_high_pc
	.uleb128 0x1	# DW_AT_frame_base
	.byte	0x9c	# DW_OP_call_frame_cfa
			# DW_AT_call_all_calls
	.uleb128 0x1e	# (DIE (0x2bf) DW_TAG_formal_parameter)
	.long	0x268	# DW_AT_abstract_origin
	.uleb128 0x1	# DW_AT_location
	.byte	0x55	# DW_OP_reg5
	.byte	0	# end of children of DIE 0x2a8
	.byte	0	# end of children of DIE 0xc
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x2	# (DW_AT_location)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.uleb128 0x2137	# (DW_AT_GNU_locviews)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.byte	0
	.byte	0
	.uleb128 0x2	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (ring.h)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x3	# (abbrev code)
	.uleb128 0x1d	# (TAG: DW_TAG_inlined_subroutine)
	.byte	0x1	# DW_children_yes
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x52	# (DW_AT_entry_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x2138	# (DW_AT_GNU_entry_view)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x55	# (DW_AT_ranges)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.uleb128 0x58	# (DW_AT_call_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 2	# (ring.c)
	.uleb128 0x59	# (DW_AT_call_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x57	# (DW_AT_call_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x4	# (abbrev code)
	.uleb128 0x48	# (TAG: DW_TAG_call_site)
	.byte	0x1	# DW_children_yes
	.uleb128 0x7d	# (DW_AT_call_return_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x7f	# (DW_AT_call_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x5	# (abbrev code)
	.uleb128 0x49	# (TAG: DW_TAG_call_site_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x2	# (DW_AT_location)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.uleb128 0x7e	# (DW_AT_call_value)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.byte	0
	.byte	0
	.uleb128 0x6	# (abbrev code)
	.uleb128 0xd	# (TAG: DW_TAG_member)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (ring.h)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 4
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x38	# (DW_AT_data_member_location)
	.uleb128 0xb	# (DW_FORM_data1)
	.byte	0
	.byte	0
	.uleb128 0x7	# (abbrev code)
	.uleb128 0x34	# (TAG: DW_TAG_variable)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 2	# (ring.c)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x3f	# (DW_AT_external)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x2	# (DW_AT_location)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.byte	0
	.byte	0
	.uleb128 0x8	# (abbrev code)
	.uleb128 0xf	# (TAG: DW_TAG_pointer_type)
	.byte	0	# DW_children_no
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 8
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x9	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3f	# (DW_AT_external)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 2	# (ring.c)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 5
	.uleb128 0x27	# (DW_AT_prototyped)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x55	# (DW_AT_ranges)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.uleb128 0x40	# (DW_AT_frame_base)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.uleb128 0x7a	# (DW_AT_call_all_calls)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xa	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 2	# (ring.c)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x2	# (DW_AT_location)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.uleb128 0x2137	# (DW_AT_GNU_locviews)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.byte	0
	.byte	0
	.uleb128 0xb	# (abbrev code)
	.uleb128 0x1d	# (TAG: DW_TAG_inlined_subroutine)
	.byte	0x1	# DW_children_yes
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x52	# (DW_AT_entry_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x2138	# (DW_AT_GNU_entry_view)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x55	# (DW_AT_ranges)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.uleb128 0x58	# (DW_AT_call_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (ring.h)
	.uleb128 0x59	# (DW_AT_call_line)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 18
	.uleb128 0x57	# (DW_AT_call_column)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 2
	.byte	0
	.byte	0
	.uleb128 0xc	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (ring.h)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x27	# (DW_AT_prototyped)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x20	# (DW_AT_inline)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 3
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xd	# (abbrev code)
	.uleb128 0x11	# (TAG: DW_TAG_compile_unit)
	.byte	0x1	# DW_children_yes
	.uleb128 0x25	# (DW_AT_producer)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x13	# (DW_AT_language)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x1f	# (DW_FORM_line_strp)
	.uleb128 0x1b	# (DW_AT_comp_dir)
	.uleb128 0x1f	# (DW_FORM_line_strp)
	.uleb128 0x55	# (DW_AT_ranges)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.uleb128 0x11	# (DW_AT_low_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x10	# (DW_AT_stmt_list)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.byte	0
	.byte	0
	.uleb128 0xe	# (abbrev code)
	.uleb128 0x13	# (TAG: DW_TAG_structure_type)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0x5	# (DW_FORM_data2)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xf	# (abbrev code)
	.uleb128 0x24	# (TAG: DW_TAG_base_type)
	.byte	0	# DW_children_no
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3e	# (DW_AT_encoding)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x8	# (DW_FORM_string)
	.byte	0
	.byte	0
	.uleb128 0x10	# (abbrev code)
	.uleb128 0x35	# (TAG: DW_TAG_volatile_type)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x11	# (abbrev code)
	.uleb128 0x1	# (TAG: DW_TAG_array_type)
	.byte	0x1	# DW_children_yes
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x12	# (abbrev code)
	.uleb128 0x21	# (TAG: DW_TAG_subrange_type)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x2f	# (DW_AT_upper_bound)
	.uleb128 0xb	# (DW_FORM_data1)
	.byte	0
	.byte	0
	.uleb128 0x13	# (abbrev code)
	.uleb128 0x24	# (TAG: DW_TAG_base_type)
	.byte	0	# DW_children_no
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3e	# (DW_AT_encoding)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.byte	0
	.byte	0
	.uleb128 0x14	# (abbrev code)
	.uleb128 0x34	# (TAG: DW_TAG_variable)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x3f	# (DW_AT_external)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x3c	# (DW_AT_declaration)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.byte	0
	.byte	0
	.uleb128 0x15	# (abbrev code)
	.uleb128 0x15	# (TAG: DW_TAG_subroutine_type)
	.byte	0x1	# DW_children_yes
	.uleb128 0x27	# (DW_AT_prototyped)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x16	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x17	# (abbrev code)
	.uleb128 0x48	# (TAG: DW_TAG_call_site)
	.byte	0	# DW_children_no
	.uleb128 0x7d	# (DW_AT_call_return_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x7f	# (DW_AT_call_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x18	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3f	# (DW_AT_external)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x27	# (DW_AT_prototyped)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x11	# (DW_AT_low_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x12	# (DW_AT_high_pc)
	.uleb128 0x7	# (DW_FORM_data8)
	.uleb128 0x40	# (DW_AT_frame_base)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.uleb128 0x7a	# (DW_AT_call_all_calls)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x19	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x2	# (DW_AT_location)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.byte	0
	.byte	0
	.uleb128 0x1a	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x27	# (DW_AT_prototyped)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x20	# (DW_AT_inline)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x1b	# (abbrev code)
	.uleb128 0x34	# (TAG: DW_TAG_variable)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x1c	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x27	# (DW_AT_prototyped)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x20	# (DW_AT_inline)
	.uleb128 0xb	# (DW_FORM_data1)
	.byte	0
	.byte	0
	.uleb128 0x1d	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x11	# (DW_AT_low_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x12	# (DW_AT_high_pc)
	.uleb128 0x7	# (DW_FORM_data8)
	.uleb128 0x40	# (DW_AT_frame_base)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.uleb128 0x7a	# (DW_AT_call_all_calls)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.byte	0
	.byte	0
	.uleb128 0x1e	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x2	# (DW_AT_location)
	.uleb128 0x18	# (DW_FORM_exprloc)
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loclists,"",@progbits
	.long	.Ldebug_loc3-.Ldebug_loc2	# Length of Location Lists
.Ldebug_loc2:
	.value	0x5	# DWARF version number
	.byte	0x8	# Address Size
	.byte	0	# Segment Size
	.long	0	# Offset Entry Count
.Ldebug_loc0:
.LVUS9:
	.uleb128 0	# View list begin (*.LVUS9)
	.uleb128 .LVU48	# View list end (*.LVUS9)
	.uleb128 .LVU48	# View list begin (*.LVUS9)
	.uleb128 .LVU50	# View list end (*.LVUS9)
	.uleb128 .LVU50	# View list begin (*.LVUS9)
	.uleb128 0	# View list end (*.LVUS9)
	.uleb128 0	# View list begin (*.LVUS9)
	.uleb128 0	# View list end (*.LVUS9)
.LLST9:
	.byte	0x6	# DW_LLE_base_address (*.LLST9)
	.quad	.LVL13	# Base address (*.LLST9)
	.byte	0x4	# DW_LLE_offset_pair (*.LLST9)
	.uleb128 .LVL13-.LVL13	# Location list begin address (*.LLST9)
	.uleb128 .LVL14-1-.LVL13	# Location list end address (*.LLST9)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0x4	# DW_LLE_offset_pair (*.LLST9)
	.uleb128 .LVL14-1-.LVL13	# Location list begin address (*.LLST9)
	.uleb128 .LVL15-.LVL13	# Location list end address (*.LLST9)
	.uleb128 0x1	# Location expression size
	.byte	0x54	# DW_OP_reg4
	.byte	0x4	# DW_LLE_offset_pair (*.LLST9)
	.uleb128 .LVL15-.LVL13	# Location list begin address (*.LLST9)
	.uleb128 .LHOTE1-.LVL13	# Location list end address (*.LLST9)
	.uleb128 0x3	# Location expression size
	.byte	0x74	# DW_OP_breg4
	.sleb128 -1
	.byte	0x9f	# DW_OP_stack_value
	.byte	0x8	# DW_LLE_start_length (*.LLST9)
	.quad	.LFSB6	# Location list begin address (*.LLST9)
	.uleb128 .LCOLDE1-.LFSB6	# Location list length (*.LLST9)
	.uleb128 0x3	# Location expression size
	.byte	0x74	# DW_OP_breg4
	.sleb128 -1
	.byte	0x9f	# DW_OP_stack_value
	.byte	0	# DW_LLE_end_of_list (*.LLST9)
.LVUS11:
	.uleb128 .LVU50	# View list begin (*.LVUS11)
	.uleb128 .LVU66	# View list end (*.LVUS11)
	.uleb128 .LVU68	# View list begin (*.LVUS11)
	.uleb128 0	# View list end (*.LVUS11)
	.uleb128 0	# View list begin (*.LVUS11)
	.uleb128 0	# View list end (*.LVUS11)
.LLST11:
	.byte	0x6	# DW_LLE_base_address (*.LLST11)
	.quad	.LVL15	# Base address (*.LLST11)
	.byte	0x4	# DW_LLE_offset_pair (*.LLST11)
	.uleb128 .LVL15-.LVL15	# Location list begin address (*.LLST11)
	.uleb128 .LVL16-.LVL15	# Location list end address (*.LLST11)
	.uleb128 0x1	# Location expression size
	.byte	0x54	# DW_OP_reg4
	.byte	0x4	# DW_LLE_offset_pair (*.LLST11)
	.uleb128 .LVL17-.LVL15	# Location list begin address (*.LLST11)
	.uleb128 .LHOTE1-.LVL15	# Location list end address (*.LLST11)
	.uleb128 0x1	# Location expression size
	.byte	0x54	# DW_OP_reg4
	.byte	0x8	# DW_LLE_start_length (*.LLST11)
	.quad	.LFSB6	# Location list begin address (*.LLST11)
	.uleb128 .LCOLDE1-.LFSB6	# Location list length (*.LLST11)
	.uleb128 0x1	# Location expression size
	.byte	0x54	# DW_OP_reg4
	.byte	0	# DW_LLE_end_of_list (*.LLST11)
.LVUS12:
	.uleb128 .LVU50	# View list begin (*.LVUS12)
	.uleb128 .LVU66	# View list end (*.LVUS12)
	.uleb128 .LVU68	# View list begin (*.LVUS12)
	.uleb128 0	# View list end (*.LVUS12)
	.uleb128 0	# View list begin (*.LVUS12)
	.uleb128 0	# View list end (*.LVUS12)
.LLST12:
	.byte	0x6	# DW_LLE_base_address (*.LLST12)
	.quad	.LVL15	# Base address (*.LLST12)
	.byte	0x4	# DW_LLE_offset_pair (*.LLST12)
	.uleb128 .LVL15-.LVL15	# Location list begin address (*.LLST12)
	.uleb128 .LVL16-.LVL15	# Location list end address (*.LLST12)
	.uleb128 0xa	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x9f	# DW_OP_stack_value
	.byte	0x4	# DW_LLE_offset_pair (*.LLST12)
	.uleb128 .LVL17-.LVL15	# Location list begin address (*.LLST12)
	.uleb128 .LHOTE1-.LVL15	# Location list end address (*.LLST12)
	.uleb128 0xa	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x9f	# DW_OP_stack_value
	.byte	0x8	# DW_LLE_start_length (*.LLST12)
	.quad	.LFSB6	# Location list begin address (*.LLST12)
	.uleb128 .LCOLDE1-.LFSB6	# Location list length (*.LLST12)
	.uleb128 0xa	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x9f	# DW_OP_stack_value
	.byte	0	# DW_LLE_end_of_list (*.LLST12)
.LVUS1:
	.uleb128 0	# View list begin (*.LVUS1)
	.uleb128 .LVU27	# View list end (*.LVUS1)
	.uleb128 .LVU27	# View list begin (*.LVUS1)
	.uleb128 .LVU36	# View list end (*.LVUS1)
	.uleb128 .LVU36	# View list begin (*.LVUS1)
	.uleb128 .LVU37	# View list end (*.LVUS1)
	.uleb128 .LVU37	# View list begin (*.LVUS1)
	.uleb128 .LVU40	# View list end (*.LVUS1)
	.uleb128 .LVU40	# View list begin (*.LVUS1)
	.uleb128 0	# View list end (*.LVUS1)
	.uleb128 0	# View list begin (*.LVUS1)
	.uleb128 0	# View list end (*.LVUS1)
.LLST1:
	.byte	0x6	# DW_LLE_base_address (*.LLST1)
	.quad	.LVL2	# Base address (*.LLST1)
	.byte	0x4	# DW_LLE_offset_pair (*.LLST1)
	.uleb128 .LVL2-.LVL2	# Location list begin address (*.LLST1)
	.uleb128 .LVL5-.LVL2	# Location list end address (*.LLST1)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0x4	# DW_LLE_offset_pair (*.LLST1)
	.uleb128 .LVL5-.LVL2	# Location list begin address (*.LLST1)
	.uleb128 .LVL6-.LVL2	# Location list end address (*.LLST1)
	.uleb128 0x1	# Location expression size
	.byte	0x50	# DW_OP_reg0
	.byte	0x4	# DW_LLE_offset_pair (*.LLST1)
	.uleb128 .LVL6-.LVL2	# Location list begin address (*.LLST1)
	.uleb128 .LVL7-.LVL2	# Location list end address (*.LLST1)
	.uleb128 0x9	# Location expression size
	.byte	0x71	# DW_OP_breg1
	.sleb128 0
	.byte	0x32	# DW_OP_lit2
	.byte	0x24	# DW_OP_shl
	.byte	0x72	# DW_OP_breg2
	.sleb128 0
	.byte	0x22	# DW_OP_plus
	.byte	0x23	# DW_OP_plus_uconst
	.uleb128 0x4
	.byte	0x4	# DW_LLE_offset_pair (*.LLST1)
	.uleb128 .LVL7-.LVL2	# Location list begin address (*.LLST1)
	.uleb128 .LVL9-.LVL2	# Location list end address (*.LLST1)
	.uleb128 0x1d	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x94	# DW_OP_deref_size
	.byte	0x4
	.byte	0x31	# DW_OP_lit1
	.byte	0x1c	# DW_OP_minus
	.byte	0x8	# DW_OP_const1u
	.byte	0x3f
	.byte	0x1a	# DW_OP_and
	.byte	0xc	# DW_OP_const4u
	.long	0xffffffff
	.byte	0x1a	# DW_OP_and
	.byte	0x32	# DW_OP_lit2
	.byte	0x24	# DW_OP_shl
	.byte	0x72	# DW_OP_breg2
	.sleb128 0
	.byte	0x22	# DW_OP_plus
	.byte	0x23	# DW_OP_plus_uconst
	.uleb128 0x4
	.byte	0x4	# DW_LLE_offset_pair (*.LLST1)
	.uleb128 .LVL9-.LVL2	# Location list begin address (*.LLST1)
	.uleb128 .LHOTE0-.LVL2	# Location list end address (*.LLST1)
	.uleb128 0x1	# Location expression size
	.byte	0x50	# DW_OP_reg0
	.byte	0x8	# DW_LLE_start_length (*.LLST1)
	.quad	.LFSB5	# Location list begin address (*.LLST1)
	.uleb128 .LCOLDE0-.LFSB5	# Location list length (*.LLST1)
	.uleb128 0x1	# Location expression size
	.byte	0x50	# DW_OP_reg0
	.byte	0	# DW_LLE_end_of_list (*.LLST1)
.LVUS3:
	.uleb128 .LVU13	# View list begin (*.LVUS3)
	.uleb128 .LVU16	# View list end (*.LVUS3)
.LLST3:
	.byte	0x8	# DW_LLE_start_length (*.LLST3)
	.quad	.LVL2	# Location list begin address (*.LLST3)
	.uleb128 .LVL3-.LVL2	# Location list length (*.LLST3)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0	# DW_LLE_end_of_list (*.LLST3)
.LVUS5:
	.uleb128 .LVU21	# View list begin (*.LVUS5)
	.uleb128 .LVU27	# View list end (*.LVUS5)
	.uleb128 .LVU27	# View list begin (*.LVUS5)
	.uleb128 .LVU36	# View list end (*.LVUS5)
	.uleb128 .LVU36	# View list begin (*.LVUS5)
	.uleb128 .LVU37	# View list end (*.LVUS5)
	.uleb128 .LVU37	# View list begin (*.LVUS5)
	.uleb128 .LVU38	# View list end (*.LVUS5)
	.uleb128 .LVU42	# View list begin (*.LVUS5)
	.uleb128 0	# View list end (*.LVUS5)
.LLST5:
	.byte	0x6	# DW_LLE_base_address (*.LLST5)
	.quad	.LVL4	# Base address (*.LLST5)
	.byte	0x4	# DW_LLE_offset_pair (*.LLST5)
	.uleb128 .LVL4-.LVL4	# Location list begin address (*.LLST5)
	.uleb128 .LVL5-.LVL4	# Location list end address (*.LLST5)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0x4	# DW_LLE_offset_pair (*.LLST5)
	.uleb128 .LVL5-.LVL4	# Location list begin address (*.LLST5)
	.uleb128 .LVL6-.LVL4	# Location list end address (*.LLST5)
	.uleb128 0x1	# Location expression size
	.byte	0x50	# DW_OP_reg0
	.byte	0x4	# DW_LLE_offset_pair (*.LLST5)
	.uleb128 .LVL6-.LVL4	# Location list begin address (*.LLST5)
	.uleb128 .LVL7-.LVL4	# Location list end address (*.LLST5)
	.uleb128 0x9	# Location expression size
	.byte	0x71	# DW_OP_breg1
	.sleb128 0
	.byte	0x32	# DW_OP_lit2
	.byte	0x24	# DW_OP_shl
	.byte	0x72	# DW_OP_breg2
	.sleb128 0
	.byte	0x22	# DW_OP_plus
	.byte	0x23	# DW_OP_plus_uconst
	.uleb128 0x4
	.byte	0x4	# DW_LLE_offset_pair (*.LLST5)
	.uleb128 .LVL7-.LVL4	# Location list begin address (*.LLST5)
	.uleb128 .LVL8-.LVL4	# Location list end address (*.LLST5)
	.uleb128 0x1d	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x94	# DW_OP_deref_size
	.byte	0x4
	.byte	0x31	# DW_OP_lit1
	.byte	0x1c	# DW_OP_minus
	.byte	0x8	# DW_OP_const1u
	.byte	0x3f
	.byte	0x1a	# DW_OP_and
	.byte	0xc	# DW_OP_const4u
	.long	0xffffffff
	.byte	0x1a	# DW_OP_and
	.byte	0x32	# DW_OP_lit2
	.byte	0x24	# DW_OP_shl
	.byte	0x72	# DW_OP_breg2
	.sleb128 0
	.byte	0x22	# DW_OP_plus
	.byte	0x23	# DW_OP_plus_uconst
	.uleb128 0x4
	.byte	0x8	# DW_LLE_start_length (*.LLST5)
	.quad	.LVL11	# Location list begin address (*.LLST5)
	.uleb128 .LFE5-.LVL11	# Location list length (*.LLST5)
	.uleb128 0x1	# Location expression size
	.byte	0x50	# DW_OP_reg0
	.byte	0	# DW_LLE_end_of_list (*.LLST5)
.LVUS6:
	.uleb128 .LVU21	# View list begin (*.LVUS6)
	.uleb128 .LVU38	# View list end (*.LVUS6)
	.uleb128 .LVU42	# View list begin (*.LVUS6)
	.uleb128 0	# View list end (*.LVUS6)
.LLST6:
	.byte	0x8	# DW_LLE_start_length (*.LLST6)
	.quad	.LVL4	# Location list begin address (*.LLST6)
	.uleb128 .LVL8-.LVL4	# Location list length (*.LLST6)
	.uleb128 0xa	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x9f	# DW_OP_stack_value
	.byte	0x8	# DW_LLE_start_length (*.LLST6)
	.quad	.LVL11	# Location list begin address (*.LLST6)
	.uleb128 .LFE5-.LVL11	# Location list length (*.LLST6)
	.uleb128 0xa	# Location expression size
	.byte	0x3	# DW_OP_addr
	.quad	queue
	.byte	0x9f	# DW_OP_stack_value
	.byte	0	# DW_LLE_end_of_list (*.LLST6)
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.long	0x4c	# Length of Address Ranges Info
	.value	0x2	# DWARF aranges version
	.long	.Ldebug_info0	# Offset of Compilation Unit Info
	.byte	0x8	# Size of Address
	.byte	0	# Size of Segment Descriptor
	.value	0	# Pad to 16 byte boundary
	.value	0
	.quad	.Ltext0	# Address
	.quad	.Letext0-.Ltext0	# Length
	.quad	.Ltext_cold0	# Address
	.quad	.Letext_cold0-.Ltext_cold0	# Length
	.quad	.LFB4	# Address
	.quad	.LFE4-.LFB4	# Length
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long	.Ldebug_ranges3-.Ldebug_ranges2	# Length of Range Lists
.Ldebug_ranges2:
	.value	0x5	# DWARF version number
	.byte	0x8	# Address Size
	.byte	0	# Segment Size
	.long	0	# Offset Entry Count
.LLRL0:
	.byte	0x7	# DW_RLE_start_length (*.LLRL0)
	.quad	.LFB5	# Range begin address (*.LLRL0)
	.uleb128 .LHOTE0-.LFB5	# Range length (*.LLRL0)
	.byte	0x7	# DW_RLE_start_length (*.LLRL0)
	.quad	.LFSB5	# Range begin address (*.LLRL0)
	.uleb128 .LCOLDE0-.LFSB5	# Range length (*.LLRL0)
	.byte	0	# DW_RLE_end_of_list (*.LLRL0)
.LLRL2:
	.byte	0x5	# DW_RLE_base_address (*.LLRL2)
	.quad	.LBB20	# Base address (*.LLRL2)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL2)
	.uleb128 .LBB20-.LBB20	# Range begin address (*.LLRL2)
	.uleb128 .LBE20-.LBB20	# Range end address (*.LLRL2)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL2)
	.uleb128 .LBB23-.LBB20	# Range begin address (*.LLRL2)
	.uleb128 .LBE23-.LBB20	# Range end address (*.LLRL2)
	.byte	0	# DW_RLE_end_of_list (*.LLRL2)
.LLRL4:
	.byte	0x7	# DW_RLE_start_length (*.LLRL4)
	.quad	.LBB24	# Range begin address (*.LLRL4)
	.uleb128 .LBE24-.LBB24	# Range length (*.LLRL4)
	.byte	0x7	# DW_RLE_start_length (*.LLRL4)
	.quad	.LBB31	# Range begin address (*.LLRL4)
	.uleb128 .LBE31-.LBB31	# Range length (*.LLRL4)
	.byte	0	# DW_RLE_end_of_list (*.LLRL4)
.LLRL7:
	.byte	0x7	# DW_RLE_start_length (*.LLRL7)
	.quad	.LBB26	# Range begin address (*.LLRL7)
	.uleb128 .LBE26-.LBB26	# Range length (*.LLRL7)
	.byte	0x7	# DW_RLE_start_length (*.LLRL7)
	.quad	.LBB29	# Range begin address (*.LLRL7)
	.uleb128 .LBE29-.LBB29	# Range length (*.LLRL7)
	.byte	0	# DW_RLE_end_of_list (*.LLRL7)
.LLRL8:
	.byte	0x7	# DW_RLE_start_length (*.LLRL8)
	.quad	.LFB6	# Range begin address (*.LLRL8)
	.uleb128 .LHOTE1-.LFB6	# Range length (*.LLRL8)
	.byte	0x7	# DW_RLE_start_length (*.LLRL8)
	.quad	.LFSB6	# Range begin address (*.LLRL8)
	.uleb128 .LCOLDE1-.LFSB6	# Range length (*.LLRL8)
	.byte	0	# DW_RLE_end_of_list (*.LLRL8)
.LLRL10:
	.byte	0x5	# DW_RLE_base_address (*.LLRL10)
	.quad	.LBB32	# Base address (*.LLRL10)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL10)
	.uleb128 .LBB32-.LBB32	# Range begin address (*.LLRL10)
	.uleb128 .LBE32-.LBB32	# Range end address (*.LLRL10)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL10)
	.uleb128 .LBB43-.LBB32	# Range begin address (*.LLRL10)
	.uleb128 .LBE43-.LBB32	# Range end address (*.LLRL10)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL10)
	.uleb128 .LBB44-.LBB32	# Range begin address (*.LLRL10)
	.uleb128 .LBE44-.LBB32	# Range end address (*.LLRL10)
	.byte	0x7	# DW_RLE_start_length (*.LLRL10)
	.quad	.LBB45	# Range begin address (*.LLRL10)
	.uleb128 .LBE45-.LBB45	# Range length (*.LLRL10)
	.byte	0	# DW_RLE_end_of_list (*.LLRL10)
.LLRL13:
	.byte	0x5	# DW_RLE_base_address (*.LLRL13)
	.quad	.LBB34	# Base address (*.LLRL13)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL13)
	.uleb128 .LBB34-.LBB34	# Range begin address (*.LLRL13)
	.uleb128 .LBE34-.LBB34	# Range end address (*.LLRL13)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL13)
	.uleb128 .LBB38-.LBB34	# Range begin address (*.LLRL13)
	.uleb128 .LBE38-.LBB34	# Range end address (*.LLRL13)
	.byte	0x7	# DW_RLE_start_length (*.LLRL13)
	.quad	.LBB39	# Range begin address (*.LLRL13)
	.uleb128 .LBE39-.LBB39	# Range length (*.LLRL13)
	.byte	0	# DW_RLE_end_of_list (*.LLRL13)
.LLRL14:
	.byte	0x7	# DW_RLE_start_length (*.LLRL14)
	.quad	.Ltext0	# Range begin address (*.LLRL14)
	.uleb128 .Letext0-.Ltext0	# Range length (*.LLRL14)
	.byte	0x7	# DW_RLE_start_length (*.LLRL14)
	.quad	.Ltext_cold0	# Range begin address (*.LLRL14)
	.uleb128 .Letext_cold0-.Ltext_cold0	# Range length (*.LLRL14)
	.byte	0x7	# DW_RLE_start_length (*.LLRL14)
	.quad	.LFB4	# Range begin address (*.LLRL14)
	.uleb128 .LFE4-.LFB4	# Range length (*.LLRL14)
	.byte	0	# DW_RLE_end_of_list (*.LLRL14)
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF19:
	.string	"unused"
.LASF11:
	.string	"device_reset"
.LASF4:
	.string	"long unsigned int"
.LASF13:
	.string	"ring_put"
.LASF2:
	.string	"head"
.LASF15:
	.string	"item"
.LASF5:
	.string	"pending"
.LASF12:
	.string	"checksum"
.LASF17:
	.string	"reason"
.LASF8:
	.string	"queue_send_twice"
.LASF10:
	.string	"packet"
.LASF16:
	.string	"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -gdwarf-5 -O2 -fno-ident -fasynchronous-unwind-tables"
.LASF3:
	.string	"items"
.LASF6:
	.string	"queue"
.LASF14:
	.string	"ring"
.LASF7:
	.string	"chosen_checksum"
.LASF9:
	.string	"queue_send"
.LASF20:
	.string	"critical_enter"
.LASF18:
	.string	"trace"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"ring.c"
.LASF1:
	.string	"/src"
	.section	.note.GNU-stack,"",@progbits
