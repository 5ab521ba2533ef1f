# How to find the caller's registers in the program of sites.t.
$ as --64 -o ring.o ring.s

$ inlinecall cfi ring.o queue_send checksum
queue_send	.eh_frame+0x40
  .text+0x10-0x67	CFA=%rsp+8 %rip=[CFA-8]
checksum	.eh_frame+0x18
  .text+0x0-0x10	CFA=%rsp+8 %rip=[CFA-8]

$ inlinecall cfi --json ring.o .text+0x10
{"type":"call_frame","file":"ring.o","function":"queue_send","start":"0x10","end":"0x67","section":".text","cfa":{"kind":"register","text":"%rsp+8","from":"rsp","offset":8},"registers":[{"register":"rip","number":16,"kind":"memory","text":"[CFA-8]","from":null,"offset":-8}],"return_register":"rip","signal":false,"table":".eh_frame","fde":"0x40"}

$ inlinecall cfi --raw ring.o queue_send
.eh_frame+0x0	CIE	version=1 augmentation="zR" code_align=1 data_align=-8 return=rip
  DW_CFA_def_cfa: %rsp +8
  DW_CFA_offset: %rip -8
  DW_CFA_nop
  DW_CFA_nop
.eh_frame+0x40	FDE	.text+0x10-0x67 queue_send cie=0x0
  DW_CFA_nop
  DW_CFA_nop
  DW_CFA_nop
