	.file	"points.cpp"
	.text
.Ltext0:
	.file 0 "/src" "points.cpp"
	.p2align 4
	.globl	_Z8distanceii
	.type	_Z8distanceii, @function
_Z8distanceii:
.LVL0:
	# DEBUG x => di
	# DEBUG y => si
.LFB7:
	.file 1 "points.cpp"
	# points.cpp:25:1
	.loc 1 25 1 view -0
	.cfi_startproc
# BLOCK 2, count:1073741824 (estimated locally) seq:0
# PRED: ENTRY [always]  count:1073741824 (estimated locally) (FALLTHRU)
	# points.cpp:26:2
	.loc 1 26 2 view .LVU1
	# DEBUG this => debug_implicit_ptr
	# DEBUG px => di
	# DEBUG py => si
.LBB19:
.LBI19:
	# points.cpp:13:9
	.loc 1 13 9 view .LVU2
.LBB20:
	# points.cpp:13:48
	.loc 1 13 48 view .LVU3
.LBE20:
.LBE19:
.LBB22:
.LBB23:
.LBB24:
	# points.cpp:14:42
	.loc 1 14 42 is_stmt 0 view .LVU4
	movl	%edi, %eax
	# points.cpp:14:61
	.loc 1 14 61 view .LVU5
	movl	%esi, %edx
.LBE24:
.LBE23:
.LBE22:
.LBB33:
.LBB21:
	# points.cpp:13:53
	.loc 1 13 53 view .LVU6
	movl	%edi, sink(%rip)
.LVL1:
	# DEBUG this RESET
	# DEBUG px RESET
	# DEBUG py RESET
	# DEBUG point => debug_implicit_ptr
	# points.cpp:13:53
	.loc 1 13 53 view .LVU7
.LBE21:
.LBE33:
.LBB34:
.LBI22:
	# points.cpp:20:12
	.loc 1 20 12 is_stmt 1 view .LVU8
	# points.cpp:20:42
	.loc 1 20 42 view .LVU9
	# DEBUG this => debug_implicit_ptr
.LBB28:
.LBI23:
	# points.cpp:14:13
	.loc 1 14 13 view .LVU10
.LBB25:
	# points.cpp:14:28
	.loc 1 14 28 view .LVU11
	# DEBUG this RESET
	# DEBUG value => abs(di)+abs(si)
	# points.cpp:14:28
	.loc 1 14 28 is_stmt 0 view .LVU12
.LBE25:
.LBE28:
.LBB29:
.LBI29:
	# points.cpp:19:12
	.loc 1 19 12 is_stmt 1 view .LVU13
.LBB30:
	# points.cpp:19:33
	.loc 1 19 33 view .LVU14
	# points.cpp:19:47
	.loc 1 19 47 is_stmt 0 view .LVU15
	movl	sink(%rip), %r8d
.LVL2:
	# DEBUG value RESET
	# DEBUG point RESET
	# DEBUG value => di
	# points.cpp:19:47
	.loc 1 19 47 view .LVU16
.LBE30:
.LBE29:
.LBE34:
.LBB35:
.LBI35:
	# points.cpp:19:12
	.loc 1 19 12 is_stmt 1 view .LVU17
.LBB36:
	# points.cpp:19:33
	.loc 1 19 33 view .LVU18
.LBE36:
.LBE35:
.LBB38:
.LBB31:
.LBB26:
	# points.cpp:14:42
	.loc 1 14 42 is_stmt 0 view .LVU19
	negl	%eax
.LBE26:
.LBE31:
.LBE38:
.LBB39:
.LBB37:
	# points.cpp:19:47
	.loc 1 19 47 view .LVU20
	movl	sink(%rip), %ecx
.LVL3:
	# DEBUG value RESET
	# points.cpp:19:47
	.loc 1 19 47 view .LVU21
.LBE37:
.LBE39:
.LBB40:
.LBB32:
.LBB27:
	# points.cpp:14:42
	.loc 1 14 42 view .LVU22
	cmovs	%edi, %eax
	# points.cpp:14:61
	.loc 1 14 61 view .LVU23
	negl	%edx
	cmovs	%esi, %edx
	# points.cpp:14:69
	.loc 1 14 69 view .LVU24
	addl	%edx, %eax
.LBE27:
.LBE32:
.LBE40:
	# points.cpp:26:71
	.loc 1 26 71 view .LVU25
	cmpl	%r8d, %eax
	cmovl	%r8d, %eax
	cmpl	%ecx, %edi
	cmovl	%ecx, %edi
.LVL4:
	# DEBUG x => [`sink']
	# points.cpp:26:71
	.loc 1 26 71 view .LVU26
	addl	%edi, %eax
# SUCC: EXIT [always]  count:1073741824 (estimated locally)
	# points.cpp:27:1
	.loc 1 27 1 view .LVU27
	ret
	.cfi_endproc
.LFE7:
	.size	_Z8distanceii, .-_Z8distanceii
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x2da	# Length of Compilation Unit Info
	.value	0x5	# DWARF version number
	.byte	0x1	# DW_UT_compile
	.byte	0x8	# Pointer Size (in bytes)
	.long	.Ldebug_abbrev0	# Offset Into Abbrev. Section
	.uleb128 0x10	# (DIE (0xc) DW_TAG_compile_unit)
	.long	.LASF13	# DW_AT_producer: "GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -gdwarf-5 -O2 -fno-ident -fno-exceptions -fno-rtti -fasynchronous-unwind-tables"
	.byte	0x21	# DW_AT_language
	.long	.LASF0	# DW_AT_name: "points.cpp"
	.long	.LASF1	# DW_AT_comp_dir: "/src"
	.quad	.Ltext0	# DW_AT_low_pc
	.quad	.Letext0-.Ltext0	# DW_AT_high_pc
	.long	.Ldebug_line0	# DW_AT_stmt_list
	.uleb128 0x11	# (DIE (0x2e) DW_TAG_variable)
	.long	.LASF14	# DW_AT_name: "sink"
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0x5	# DW_AT_decl_line
	.byte	0x15	# DW_AT_decl_column
	.long	0x41	# DW_AT_type
			# DW_AT_external
			# DW_AT_declaration
	.uleb128 0x12	# (DIE (0x3a) DW_TAG_base_type)
	.byte	0x4	# DW_AT_byte_size
	.byte	0x5	# DW_AT_encoding
	.ascii "int\0"	# DW_AT_name
	.uleb128 0x13	# (DIE (0x41) DW_TAG_volatile_type)
	.long	0x3a	# DW_AT_type
	.uleb128 0x14	# (DIE (0x46) DW_TAG_namespace)
	.long	.LASF15	# DW_AT_name: "geometry"
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0x9	# DW_AT_decl_line
	.byte	0xb	# DW_AT_decl_column
	.long	0x10a	# DW_AT_sibling
	.uleb128 0x15	# (DIE (0x52) DW_TAG_structure_type)
	.long	.LASF2	# DW_AT_name: "Point"
	.byte	0x8	# DW_AT_byte_size
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0xb	# DW_AT_decl_line
	.byte	0x8	# DW_AT_decl_column
	.long	0xb0	# DW_AT_sibling
	.uleb128 0x8	# (DIE (0x5f) DW_TAG_member)
	.ascii "x\0"	# DW_AT_name
			# DW_AT_decl_file (1, points.cpp)
			# DW_AT_decl_line (0xc)
	.byte	0x6	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.byte	0	# DW_AT_data_member_location
	.uleb128 0x8	# (DIE (0x68) DW_TAG_member)
	.ascii "y\0"	# DW_AT_name
			# DW_AT_decl_file (1, points.cpp)
			# DW_AT_decl_line (0xc)
	.byte	0x9	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.byte	0x4	# DW_AT_data_member_location
	.uleb128 0x16	# (DIE (0x71) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF2	# DW_AT_name: "Point"
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0xd	# DW_AT_decl_line
	.byte	0x9	# DW_AT_decl_column
	.long	.LASF4	# DW_AT_linkage_name: "_ZN8geometry5PointC4Eii"
			# DW_AT_declaration
	.long	0x85	# DW_AT_object_pointer
	.long	0x95	# DW_AT_sibling
	.uleb128 0x9	# (DIE (0x85) DW_TAG_formal_parameter)
	.long	0x10a	# DW_AT_type
			# DW_AT_artificial
	.uleb128 0x1	# (DIE (0x8a) DW_TAG_formal_parameter)
	.long	0x3a	# DW_AT_type
	.uleb128 0x1	# (DIE (0x8f) DW_TAG_formal_parameter)
	.long	0x3a	# DW_AT_type
	.byte	0	# end of children of DIE 0x71
	.uleb128 0x17	# (DIE (0x95) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF3	# DW_AT_name: "norm"
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0xe	# DW_AT_decl_line
	.byte	0xd	# DW_AT_decl_column
	.long	.LASF5	# DW_AT_linkage_name: "_ZNK8geometry5Point4normEv"
	.long	0x3a	# DW_AT_type
			# DW_AT_declaration
	.long	0xa9	# DW_AT_object_pointer
	.uleb128 0x9	# (DIE (0xa9) DW_TAG_formal_parameter)
	.long	0x114	# DW_AT_type
			# DW_AT_artificial
	.byte	0	# end of children of DIE 0x95
	.byte	0	# end of children of DIE 0x52
	.uleb128 0x5	# (DIE (0xb0) DW_TAG_const_type)
	.long	0x52	# DW_AT_type
	.uleb128 0xa	# (DIE (0xb5) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF6	# DW_AT_name: "biggest<int>"
			# DW_AT_decl_file (1, points.cpp)
	.byte	0x11	# DW_AT_decl_line
	.byte	0x20	# DW_AT_decl_column
	.long	.LASF7	# DW_AT_linkage_name: "_ZN8geometry7biggestIiEET_S1_S1_"
	.long	0x3a	# DW_AT_type
			# DW_AT_declaration
	.long	0xda	# DW_AT_sibling
	.uleb128 0xb	# (DIE (0xc8) DW_TAG_template_type_param)
	.ascii "T\0"	# DW_AT_name
	.long	0x3a	# DW_AT_type
	.uleb128 0x1	# (DIE (0xcf) DW_TAG_formal_parameter)
	.long	0x3a	# DW_AT_type
	.uleb128 0x1	# (DIE (0xd4) DW_TAG_formal_parameter)
	.long	0x3a	# DW_AT_type
	.byte	0	# end of children of DIE 0xb5
	.uleb128 0xa	# (DIE (0xda) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF8	# DW_AT_name: "measure"
			# DW_AT_decl_file (1, points.cpp)
	.byte	0x14	# DW_AT_decl_line
	.byte	0xc	# DW_AT_decl_column
	.long	.LASF9	# DW_AT_linkage_name: "_ZN8geometry7measureERKNS_5PointE"
	.long	0x3a	# DW_AT_type
			# DW_AT_declaration
	.long	0xf3	# DW_AT_sibling
	.uleb128 0x1	# (DIE (0xed) DW_TAG_formal_parameter)
	.long	0x24c	# DW_AT_type
	.byte	0	# end of children of DIE 0xda
	.uleb128 0x18	# (DIE (0xf3) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF8	# DW_AT_name: "measure"
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0x13	# DW_AT_decl_line
	.byte	0xc	# DW_AT_decl_column
	.long	.LASF16	# DW_AT_linkage_name: "_ZN8geometry7measureEi"
	.long	0x3a	# DW_AT_type
			# DW_AT_declaration
	.uleb128 0x1	# (DIE (0x103) DW_TAG_formal_parameter)
	.long	0x3a	# DW_AT_type
	.byte	0	# end of children of DIE 0xf3
	.byte	0	# end of children of DIE 0x46
	.uleb128 0xc	# (DIE (0x10a) DW_TAG_pointer_type)
			# DW_AT_byte_size (0x8)
	.long	0x52	# DW_AT_type
	.uleb128 0x5	# (DIE (0x10f) DW_TAG_const_type)
	.long	0x10a	# DW_AT_type
	.uleb128 0xc	# (DIE (0x114) DW_TAG_pointer_type)
			# DW_AT_byte_size (0x8)
	.long	0xb0	# DW_AT_type
	.uleb128 0x5	# (DIE (0x119) DW_TAG_const_type)
	.long	0x114	# DW_AT_type
	.uleb128 0x6	# (DIE (0x11e) DW_TAG_subprogram)
	.long	0xb5	# DW_AT_specification
			# DW_AT_inline (0x3)
	.long	0x141	# DW_AT_sibling
	.uleb128 0xb	# (DIE (0x127) DW_TAG_template_type_param)
	.ascii "T\0"	# DW_AT_name
	.long	0x3a	# DW_AT_type
	.uleb128 0x3	# (DIE (0x12e) DW_TAG_formal_parameter)
	.ascii "a\0"	# DW_AT_name
			# DW_AT_decl_file (1, points.cpp)
	.byte	0x11	# DW_AT_decl_line
	.byte	0x2a	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.uleb128 0x3	# (DIE (0x137) DW_TAG_formal_parameter)
	.ascii "b\0"	# DW_AT_name
			# DW_AT_decl_file (1, points.cpp)
	.byte	0x11	# DW_AT_decl_line
	.byte	0x2f	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.byte	0	# end of children of DIE 0x11e
	.uleb128 0x19	# (DIE (0x141) DW_TAG_subprogram)
			# DW_AT_external
	.long	.LASF17	# DW_AT_name: "distance"
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0x18	# DW_AT_decl_line
	.byte	0x5	# DW_AT_decl_column
	.long	.LASF18	# DW_AT_linkage_name: "_Z8distanceii"
	.long	0x3a	# DW_AT_type
	.quad	.LFB7	# DW_AT_low_pc
	.quad	.LFE7-.LFB7	# DW_AT_high_pc
	.uleb128 0x1	# DW_AT_frame_base
	.byte	0x9c	# DW_OP_call_frame_cfa
			# DW_AT_call_all_calls
	.long	0x24c	# DW_AT_sibling
	.uleb128 0x1a	# (DIE (0x167) DW_TAG_formal_parameter)
	.ascii "x\0"	# DW_AT_name
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0x18	# DW_AT_decl_line
	.byte	0x12	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.long	.LLST0	# DW_AT_location
	.long	.LVUS0	# DW_AT_GNU_locviews
	.uleb128 0x1b	# (DIE (0x179) DW_TAG_formal_parameter)
	.ascii "y\0"	# DW_AT_name
	.byte	0x1	# DW_AT_decl_file (points.cpp)
	.byte	0x18	# DW_AT_decl_line
	.byte	0x19	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.uleb128 0x1	# DW_AT_location
	.byte	0x54	# DW_OP_reg4
	.uleb128 0x7	# (DIE (0x185) DW_TAG_inlined_subroutine)
	.long	0x294	# DW_AT_abstract_origin
	.quad	.LBI19	# DW_AT_entry_pc
	.byte	.LVU2	# DW_AT_GNU_entry_view
	.long	.LLRL1	# DW_AT_ranges
			# DW_AT_call_file (1, points.cpp)
	.byte	0x1a	# DW_AT_call_line
	.byte	0x25	# DW_AT_call_column
	.long	0x1bd	# DW_AT_sibling
	.uleb128 0x4	# (DIE (0x19d) DW_TAG_formal_parameter)
	.long	0x2b5	# DW_AT_abstract_origin
	.long	.LLST2	# DW_AT_location
	.long	.LVUS2	# DW_AT_GNU_locviews
	.uleb128 0x4	# (DIE (0x1aa) DW_TAG_formal_parameter)
	.long	0x2ab	# DW_AT_abstract_origin
	.long	.LLST3	# DW_AT_location
	.long	.LVUS3	# DW_AT_GNU_locviews
	.uleb128 0x2	# (DIE (0x1b7) DW_TAG_formal_parameter)
	.long	0x2a2	# DW_AT_abstract_origin
	.byte	0	# end of children of DIE 0x185
	.uleb128 0x7	# (DIE (0x1bd) DW_TAG_inlined_subroutine)
	.long	0x252	# DW_AT_abstract_origin
	.quad	.LBI22	# DW_AT_entry_pc
	.byte	.LVU8	# DW_AT_GNU_entry_view
	.long	.LLRL5	# DW_AT_ranges
			# DW_AT_call_file (1, points.cpp)
	.byte	0x1a	# DW_AT_call_line
	.byte	0x1a	# DW_AT_call_column
	.long	0x228	# DW_AT_sibling
	.uleb128 0x2	# (DIE (0x1d5) DW_TAG_formal_parameter)
	.long	0x25b	# DW_AT_abstract_origin
	.uleb128 0x7	# (DIE (0x1da) DW_TAG_inlined_subroutine)
	.long	0x27c	# DW_AT_abstract_origin
	.quad	.LBI23	# DW_AT_entry_pc
	.byte	.LVU10	# DW_AT_GNU_entry_view
	.long	.LLRL7	# DW_AT_ranges
			# DW_AT_call_file (1, points.cpp)
	.byte	0x14	# DW_AT_call_line
	.byte	0x38	# DW_AT_call_column
	.long	0x1f8	# DW_AT_sibling
	.uleb128 0x2	# (DIE (0x1f2) DW_TAG_formal_parameter)
	.long	0x28a	# DW_AT_abstract_origin
	.byte	0	# end of children of DIE 0x1da
	.uleb128 0x1c	# (DIE (0x1f8) DW_TAG_inlined_subroutine)
	.long	0x267	# DW_AT_abstract_origin
	.quad	.LBI29	# DW_AT_entry_pc
	.byte	.LVU13	# DW_AT_GNU_entry_view
	.quad	.LBB29	# DW_AT_low_pc
	.quad	.LBE29-.LBB29	# DW_AT_high_pc
	.byte	0x1	# DW_AT_call_file (points.cpp)
	.byte	0x14	# DW_AT_call_line
	.byte	0x38	# DW_AT_call_column
	.uleb128 0x4	# (DIE (0x219) DW_TAG_formal_parameter)
	.long	0x270	# DW_AT_abstract_origin
	.long	.LLST9	# DW_AT_location
	.long	.LVUS9	# DW_AT_GNU_locviews
	.byte	0	# end of children of DIE 0x1f8
	.byte	0	# end of children of DIE 0x1bd
	.uleb128 0x1d	# (DIE (0x228) DW_TAG_inlined_subroutine)
	.long	0x267	# DW_AT_abstract_origin
	.quad	.LBI35	# DW_AT_entry_pc
	.byte	.LVU17	# DW_AT_GNU_entry_view
	.long	.LLRL10	# DW_AT_ranges
	.byte	0x1	# DW_AT_call_file (points.cpp)
	.byte	0x1a	# DW_AT_call_line
	.byte	0x45	# DW_AT_call_column
	.uleb128 0x4	# (DIE (0x23d) DW_TAG_formal_parameter)
	.long	0x270	# DW_AT_abstract_origin
	.long	.LLST11	# DW_AT_location
	.long	.LVUS11	# DW_AT_GNU_locviews
	.byte	0	# end of children of DIE 0x228
	.byte	0	# end of children of DIE 0x141
	.uleb128 0x1e	# (DIE (0x24c) DW_TAG_reference_type)
	.byte	0x8	# DW_AT_byte_size
	.long	0xb0	# DW_AT_type
	.uleb128 0x6	# (DIE (0x252) DW_TAG_subprogram)
	.long	0xda	# DW_AT_specification
			# DW_AT_inline (0x3)
	.long	0x267	# DW_AT_sibling
	.uleb128 0xd	# (DIE (0x25b) DW_TAG_formal_parameter)
	.long	.LASF10	# DW_AT_name: "point"
			# DW_AT_decl_file (1, points.cpp)
	.byte	0x14	# DW_AT_decl_line
	.byte	0x21	# DW_AT_decl_column
	.long	0x24c	# DW_AT_type
	.byte	0	# end of children of DIE 0x252
	.uleb128 0x6	# (DIE (0x267) DW_TAG_subprogram)
	.long	0xf3	# DW_AT_specification
			# DW_AT_inline (0x3)
	.long	0x27c	# DW_AT_sibling
	.uleb128 0xd	# (DIE (0x270) DW_TAG_formal_parameter)
	.long	.LASF11	# DW_AT_name: "value"
			# DW_AT_decl_file (1, points.cpp)
	.byte	0x13	# DW_AT_decl_line
	.byte	0x18	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.byte	0	# end of children of DIE 0x267
	.uleb128 0xe	# (DIE (0x27c) DW_TAG_subprogram)
	.long	0x95	# DW_AT_specification
	.long	0x28a	# DW_AT_object_pointer
	.byte	0x3	# DW_AT_inline
	.long	0x294	# DW_AT_sibling
	.uleb128 0xf	# (DIE (0x28a) DW_TAG_formal_parameter)
	.long	.LASF12	# DW_AT_name: "this"
	.long	0x119	# DW_AT_type
			# DW_AT_artificial
	.byte	0	# end of children of DIE 0x27c
	.uleb128 0xe	# (DIE (0x294) DW_TAG_subprogram)
	.long	0x71	# DW_AT_specification
	.long	0x2a2	# DW_AT_object_pointer
	.byte	0x2	# DW_AT_inline
	.long	0x2c0	# DW_AT_sibling
	.uleb128 0xf	# (DIE (0x2a2) DW_TAG_formal_parameter)
	.long	.LASF12	# DW_AT_name: "this"
	.long	0x10f	# DW_AT_type
			# DW_AT_artificial
	.uleb128 0x3	# (DIE (0x2ab) DW_TAG_formal_parameter)
	.ascii "px\0"	# DW_AT_name
			# DW_AT_decl_file (1, points.cpp)
	.byte	0xd	# DW_AT_decl_line
	.byte	0x13	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.uleb128 0x3	# (DIE (0x2b5) DW_TAG_formal_parameter)
	.ascii "py\0"	# DW_AT_name
			# DW_AT_decl_file (1, points.cpp)
	.byte	0xd	# DW_AT_decl_line
	.byte	0x1b	# DW_AT_decl_column
	.long	0x3a	# DW_AT_type
	.byte	0	# end of children of DIE 0x294
	.uleb128 0x1f	# (DIE (0x2c0) DW_TAG_subprogram)
	.long	0x294	# DW_AT_abstract_origin
	.long	.LASF19	# DW_AT_linkage_name: "_ZN8geometry5PointC2Eii"
	.long	0x2cd	# DW_AT_object_pointer
	.uleb128 0x2	# (DIE (0x2cd) DW_TAG_formal_parameter)
	.long	0x2a2	# DW_AT_abstract_origin
	.uleb128 0x2	# (DIE (0x2d2) DW_TAG_formal_parameter)
	.long	0x2ab	# DW_AT_abstract_origin
	.uleb128 0x2	# (DIE (0x2d7) DW_TAG_formal_parameter)
	.long	0x2b5	# DW_AT_abstract_origin
	.byte	0	# end of children of DIE 0x2c0
	.byte	0	# end of children of DIE 0xc
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x2	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x3	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x8	# (DW_FORM_string)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (points.cpp)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x4	# (abbrev code)
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
	.uleb128 0x5	# (abbrev code)
	.uleb128 0x26	# (TAG: DW_TAG_const_type)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x6	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x47	# (DW_AT_specification)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x20	# (DW_AT_inline)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 3
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x7	# (abbrev code)
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
	.sleb128 1	# (points.cpp)
	.uleb128 0x59	# (DW_AT_call_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x57	# (DW_AT_call_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x8	# (abbrev code)
	.uleb128 0xd	# (TAG: DW_TAG_member)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x8	# (DW_FORM_string)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (points.cpp)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 12
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x38	# (DW_AT_data_member_location)
	.uleb128 0xb	# (DW_FORM_data1)
	.byte	0
	.byte	0
	.uleb128 0x9	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x34	# (DW_AT_artificial)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.byte	0
	.byte	0
	.uleb128 0xa	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3f	# (DW_AT_external)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (points.cpp)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x6e	# (DW_AT_linkage_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x3c	# (DW_AT_declaration)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xb	# (abbrev code)
	.uleb128 0x2f	# (TAG: DW_TAG_template_type_param)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x8	# (DW_FORM_string)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xc	# (abbrev code)
	.uleb128 0xf	# (TAG: DW_TAG_pointer_type)
	.byte	0	# DW_children_no
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 8
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xd	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0x21	# (DW_FORM_implicit_const)
	.sleb128 1	# (points.cpp)
	.uleb128 0x3b	# (DW_AT_decl_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x39	# (DW_AT_decl_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xe	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x47	# (DW_AT_specification)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x64	# (DW_AT_object_pointer)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x20	# (DW_AT_inline)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0xf	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x34	# (DW_AT_artificial)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.byte	0
	.byte	0
	.uleb128 0x10	# (abbrev code)
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
	.uleb128 0x11	# (DW_AT_low_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x12	# (DW_AT_high_pc)
	.uleb128 0x7	# (DW_FORM_data8)
	.uleb128 0x10	# (DW_AT_stmt_list)
	.uleb128 0x17	# (DW_FORM_sec_offset)
	.byte	0
	.byte	0
	.uleb128 0x11	# (abbrev code)
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
	.uleb128 0x12	# (abbrev code)
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
	.uleb128 0x13	# (abbrev code)
	.uleb128 0x35	# (TAG: DW_TAG_volatile_type)
	.byte	0	# DW_children_no
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x14	# (abbrev code)
	.uleb128 0x39	# (TAG: DW_TAG_namespace)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
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
	.uleb128 0x15	# (abbrev code)
	.uleb128 0x13	# (TAG: DW_TAG_structure_type)
	.byte	0x1	# DW_children_yes
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0xb	# (DW_FORM_data1)
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
	.uleb128 0x16	# (abbrev code)
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
	.uleb128 0x6e	# (DW_AT_linkage_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x3c	# (DW_AT_declaration)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x64	# (DW_AT_object_pointer)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x1	# (DW_AT_sibling)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x17	# (abbrev code)
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
	.uleb128 0x6e	# (DW_AT_linkage_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x3c	# (DW_AT_declaration)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.uleb128 0x64	# (DW_AT_object_pointer)
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
	.uleb128 0x6e	# (DW_AT_linkage_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x3c	# (DW_AT_declaration)
	.uleb128 0x19	# (DW_FORM_flag_present)
	.byte	0
	.byte	0
	.uleb128 0x19	# (abbrev code)
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
	.uleb128 0x6e	# (DW_AT_linkage_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
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
	.uleb128 0x1a	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x8	# (DW_FORM_string)
	.uleb128 0x3a	# (DW_AT_decl_file)
	.uleb128 0xb	# (DW_FORM_data1)
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
	.uleb128 0x1b	# (abbrev code)
	.uleb128 0x5	# (TAG: DW_TAG_formal_parameter)
	.byte	0	# DW_children_no
	.uleb128 0x3	# (DW_AT_name)
	.uleb128 0x8	# (DW_FORM_string)
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
	.uleb128 0x1c	# (abbrev code)
	.uleb128 0x1d	# (TAG: DW_TAG_inlined_subroutine)
	.byte	0x1	# DW_children_yes
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x52	# (DW_AT_entry_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x2138	# (DW_AT_GNU_entry_view)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x11	# (DW_AT_low_pc)
	.uleb128 0x1	# (DW_FORM_addr)
	.uleb128 0x12	# (DW_AT_high_pc)
	.uleb128 0x7	# (DW_FORM_data8)
	.uleb128 0x58	# (DW_AT_call_file)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x59	# (DW_AT_call_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x57	# (DW_AT_call_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.byte	0
	.byte	0
	.uleb128 0x1d	# (abbrev code)
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
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x59	# (DW_AT_call_line)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x57	# (DW_AT_call_column)
	.uleb128 0xb	# (DW_FORM_data1)
	.byte	0
	.byte	0
	.uleb128 0x1e	# (abbrev code)
	.uleb128 0x10	# (TAG: DW_TAG_reference_type)
	.byte	0	# DW_children_no
	.uleb128 0xb	# (DW_AT_byte_size)
	.uleb128 0xb	# (DW_FORM_data1)
	.uleb128 0x49	# (DW_AT_type)
	.uleb128 0x13	# (DW_FORM_ref4)
	.byte	0
	.byte	0
	.uleb128 0x1f	# (abbrev code)
	.uleb128 0x2e	# (TAG: DW_TAG_subprogram)
	.byte	0x1	# DW_children_yes
	.uleb128 0x31	# (DW_AT_abstract_origin)
	.uleb128 0x13	# (DW_FORM_ref4)
	.uleb128 0x6e	# (DW_AT_linkage_name)
	.uleb128 0xe	# (DW_FORM_strp)
	.uleb128 0x64	# (DW_AT_object_pointer)
	.uleb128 0x13	# (DW_FORM_ref4)
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
.LVUS0:
	.uleb128 0	# View list begin (*.LVUS0)
	.uleb128 .LVU26	# View list end (*.LVUS0)
.LLST0:
	.byte	0x4	# DW_LLE_offset_pair (*.LLST0)
	.uleb128 .LVL0-.Ltext0	# Location list begin address (*.LLST0)
	.uleb128 .LVL4-.Ltext0	# Location list end address (*.LLST0)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0	# DW_LLE_end_of_list (*.LLST0)
.LVUS2:
	.uleb128 .LVU2	# View list begin (*.LVUS2)
	.uleb128 .LVU7	# View list end (*.LVUS2)
.LLST2:
	.byte	0x4	# DW_LLE_offset_pair (*.LLST2)
	.uleb128 .LVL0-.Ltext0	# Location list begin address (*.LLST2)
	.uleb128 .LVL1-.Ltext0	# Location list end address (*.LLST2)
	.uleb128 0x1	# Location expression size
	.byte	0x54	# DW_OP_reg4
	.byte	0	# DW_LLE_end_of_list (*.LLST2)
.LVUS3:
	.uleb128 .LVU2	# View list begin (*.LVUS3)
	.uleb128 .LVU7	# View list end (*.LVUS3)
.LLST3:
	.byte	0x4	# DW_LLE_offset_pair (*.LLST3)
	.uleb128 .LVL0-.Ltext0	# Location list begin address (*.LLST3)
	.uleb128 .LVL1-.Ltext0	# Location list end address (*.LLST3)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0	# DW_LLE_end_of_list (*.LLST3)
.LVUS9:
	.uleb128 .LVU12	# View list begin (*.LVUS9)
	.uleb128 .LVU16	# View list end (*.LVUS9)
.LLST9:
	.byte	0x4	# DW_LLE_offset_pair (*.LLST9)
	.uleb128 .LVL1-.Ltext0	# Location list begin address (*.LLST9)
	.uleb128 .LVL2-.Ltext0	# Location list end address (*.LLST9)
	.uleb128 0x8	# Location expression size
	.byte	0x75	# DW_OP_breg5
	.sleb128 0
	.byte	0x19	# DW_OP_abs
	.byte	0x74	# DW_OP_breg4
	.sleb128 0
	.byte	0x19	# DW_OP_abs
	.byte	0x22	# DW_OP_plus
	.byte	0x9f	# DW_OP_stack_value
	.byte	0	# DW_LLE_end_of_list (*.LLST9)
.LVUS11:
	.uleb128 .LVU16	# View list begin (*.LVUS11)
	.uleb128 .LVU21	# View list end (*.LVUS11)
.LLST11:
	.byte	0x4	# DW_LLE_offset_pair (*.LLST11)
	.uleb128 .LVL2-.Ltext0	# Location list begin address (*.LLST11)
	.uleb128 .LVL3-.Ltext0	# Location list end address (*.LLST11)
	.uleb128 0x1	# Location expression size
	.byte	0x55	# DW_OP_reg5
	.byte	0	# DW_LLE_end_of_list (*.LLST11)
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.long	0x2c	# Length of Address Ranges Info
	.value	0x2	# DWARF aranges version
	.long	.Ldebug_info0	# Offset of Compilation Unit Info
	.byte	0x8	# Size of Address
	.byte	0	# Size of Segment Descriptor
	.value	0	# Pad to 16 byte boundary
	.value	0
	.quad	.Ltext0	# Address
	.quad	.Letext0-.Ltext0	# Length
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
.LLRL1:
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL1)
	.uleb128 .LBB19-.Ltext0	# Range begin address (*.LLRL1)
	.uleb128 .LBE19-.Ltext0	# Range end address (*.LLRL1)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL1)
	.uleb128 .LBB33-.Ltext0	# Range begin address (*.LLRL1)
	.uleb128 .LBE33-.Ltext0	# Range end address (*.LLRL1)
	.byte	0	# DW_RLE_end_of_list (*.LLRL1)
.LLRL5:
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL5)
	.uleb128 .LBB22-.Ltext0	# Range begin address (*.LLRL5)
	.uleb128 .LBE22-.Ltext0	# Range end address (*.LLRL5)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL5)
	.uleb128 .LBB34-.Ltext0	# Range begin address (*.LLRL5)
	.uleb128 .LBE34-.Ltext0	# Range end address (*.LLRL5)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL5)
	.uleb128 .LBB38-.Ltext0	# Range begin address (*.LLRL5)
	.uleb128 .LBE38-.Ltext0	# Range end address (*.LLRL5)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL5)
	.uleb128 .LBB40-.Ltext0	# Range begin address (*.LLRL5)
	.uleb128 .LBE40-.Ltext0	# Range end address (*.LLRL5)
	.byte	0	# DW_RLE_end_of_list (*.LLRL5)
.LLRL7:
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL7)
	.uleb128 .LBB23-.Ltext0	# Range begin address (*.LLRL7)
	.uleb128 .LBE23-.Ltext0	# Range end address (*.LLRL7)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL7)
	.uleb128 .LBB28-.Ltext0	# Range begin address (*.LLRL7)
	.uleb128 .LBE28-.Ltext0	# Range end address (*.LLRL7)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL7)
	.uleb128 .LBB31-.Ltext0	# Range begin address (*.LLRL7)
	.uleb128 .LBE31-.Ltext0	# Range end address (*.LLRL7)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL7)
	.uleb128 .LBB32-.Ltext0	# Range begin address (*.LLRL7)
	.uleb128 .LBE32-.Ltext0	# Range end address (*.LLRL7)
	.byte	0	# DW_RLE_end_of_list (*.LLRL7)
.LLRL10:
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL10)
	.uleb128 .LBB35-.Ltext0	# Range begin address (*.LLRL10)
	.uleb128 .LBE35-.Ltext0	# Range end address (*.LLRL10)
	.byte	0x4	# DW_RLE_offset_pair (*.LLRL10)
	.uleb128 .LBB39-.Ltext0	# Range begin address (*.LLRL10)
	.uleb128 .LBE39-.Ltext0	# Range end address (*.LLRL10)
	.byte	0	# DW_RLE_end_of_list (*.LLRL10)
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF8:
	.string	"measure"
.LASF18:
	.string	"_Z8distanceii"
.LASF3:
	.string	"norm"
.LASF9:
	.string	"_ZN8geometry7measureERKNS_5PointE"
.LASF15:
	.string	"geometry"
.LASF19:
	.string	"_ZN8geometry5PointC2Eii"
.LASF4:
	.string	"_ZN8geometry5PointC4Eii"
.LASF17:
	.string	"distance"
.LASF5:
	.string	"_ZNK8geometry5Point4normEv"
.LASF12:
	.string	"this"
.LASF10:
	.string	"point"
.LASF2:
	.string	"Point"
.LASF6:
	.string	"biggest<int>"
.LASF11:
	.string	"value"
.LASF16:
	.string	"_ZN8geometry7measureEi"
.LASF7:
	.string	"_ZN8geometry7biggestIiEET_S1_S1_"
.LASF14:
	.string	"sink"
.LASF13:
	.string	"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -gdwarf-5 -O2 -fno-ident -fno-exceptions -fno-rtti -fasynchronous-unwind-tables"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"/src"
.LASF0:
	.string	"points.cpp"
	.section	.note.GNU-stack,"",@progbits
