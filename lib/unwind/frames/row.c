#include "unwind/frames/row.h"

#include "unwind/frames/plt_code.h"
#include "unwind/frames/signal_code.h"

// Keeps the rules for the registers of a frame. False if there are too many.
static bool keep_rules(const struct ic_unwind_machine *machine, struct ic_unwind_row_draft *draft,
		       const struct ic_call_frame_row *found)
{
	struct ic_unwind_row *row = &draft->row;

	row->cfa = found->cfa;
	row->rule_count = 0;
	for (size_t i = 0; i < found->rule_count; i++) {
		const struct ic_register_rule *rule = &found->rules[i];

		if (rule->reg >= IC_UNWIND_MOST_REGISTERS ||
		    (rule->reg < 64 && machine->floats >> rule->reg & 1))
			continue;
		if (row->rule_count == IC_UNWIND_MOST_RULES)
			return false;
		draft->rules[row->rule_count++] = *rule;
		// As in longjmp(), after which the stack is that of its destination.
		row->switches |= rule->kind == IC_RULE_REGISTER && rule->reg == machine->sp &&
				 rule->from != machine->sp;
	}
	return true;
}

// Code that a function is made to return to has not been called: a stack starts there, as made by
// makecontext(). There may be no code before it.
static bool find_beginning(struct ic_unwind_row *row, struct ic_call_frame_reader *reader,
			   struct ic_call_frame_entry *entry, struct ic_call_frame_row *found)
{
	uint64_t pc = row->addr - row->bias + 1;
	struct ic_error unwanted;

	if (row->of_exact || !ic_call_frame_reader_find(reader, pc, entry, found, &unwanted) ||
	    entry->range.start != pc)
		return false;
	row->begins = row->keeps_none ? IC_UNWIND_CONTINUES : IC_UNWIND_BEGINS;
	return true;
}

// SFrame describes no registers but the frame pointer, which is unchanged without a rule, and where
// functions save others. At the start of a stack it does not even describe the CFA.
static void complete_sframe(const struct ic_unwind_machine *machine,
			    struct ic_unwind_row_draft *draft)
{
	struct ic_unwind_row *row = &draft->row;
	bool has_fp = row->rule_count > 0 && draft->rules[0].reg == machine->fp;

	row->keeps_none = true;
	if (!has_fp)
		draft->rules[row->rule_count++] =
			(struct ic_register_rule){ .reg = machine->fp, .kind = IC_RULE_SAME_VALUE };
	if (row->cfa.kind == IC_RULE_UNDEFINED)
		row->cfa =
			(struct ic_register_rule){ .kind = IC_RULE_REGISTER, .from = machine->sp };
}

static bool read_call_frames(struct ic_unwind_row_draft *draft,
			     const struct ic_unwind_machine *machine,
			     struct ic_call_frame_reader *reader, struct ic_error *err)
{
	struct ic_unwind_row *row = &draft->row;
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row found;

	ic_call_frame_reader_use(reader, draft->frames);
	bool is_found = row->keeps_none && find_beginning(row, reader, &entry, &found);
	if (!is_found &&
	    !ic_call_frame_reader_find(reader, row->addr - row->bias, &entry, &found, err) &&
	    (err->code != IC_ERROR_NOT_FOUND || !find_beginning(row, reader, &entry, &found)))
		return false;
	if (!keep_rules(machine, draft, &found))
		return ic_fail(err, IC_ERROR_LIMIT, "rules for more than %d registers",
			       IC_UNWIND_MOST_RULES);
	if (ic_call_frames_is_sframe(draft->frames, reader->table))
		complete_sframe(machine, draft);
	else
		row->keeps_none &= strcmp(entry.section, ".debug_frame") == 0;
	draft->end = entry.range.end + row->bias;
	row->is_program_entry = entry.range.start == draft->frames->program_entry;
	row->return_reg = (uint16_t)entry.return_reg;
	row->is_signal = row->is_exact = entry.is_signal;
	return true;
}

static bool is_same_cfa(const struct ic_register_rule *a, const struct ic_register_rule *b)
{
	return a->kind == IC_RULE_REGISTER && b->kind == IC_RULE_REGISTER && a->space == b->space &&
	       a->from == b->from && a->at.offset == b->at.offset;
}

// Reads the row from ORC. False if it does not cover the address.
static bool read_orc(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
		     const struct ic_orc *orc)
{
	struct ic_unwind_row *row = &draft->row;
	struct ic_orc_row found;

	if (!ic_orc_find(orc, row->addr - row->bias, draft->bytes, &found))
		return false;
	row->cfa = found.cfa;
	memcpy(draft->rules, found.rules, sizeof(found.rules));
	row->rule_count = found.rule_count;
	row->return_reg = machine->pc;
	row->is_signal = found.kind == IC_ORC_REGS || found.kind == IC_ORC_IRET;
	row->is_exact = found.is_exact;
	row->keeps_none = false;
	row->switches = found.switches;
	row->mode = found.mode;
	row->is_orc = true;
	return true;
}

// In a kernel both are read: compilers do not know what inline assembly does to the stack pointer,
// but ORC does. Call frame information is used if both give the same frame address, because it
// covers more registers, and if ORC does not cover the code.
bool ic_unwind_row_read(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			struct ic_call_frame_reader *reader, struct ic_error *err)
{
	const struct ic_orc *orc = ic_call_frames_orc(draft->frames);

	if (!orc)
		return read_call_frames(draft, machine, reader, err);
	struct ic_unwind_row_draft found = *draft;
	const struct ic_unwind_row *row = &draft->row;
	bool has_orc = read_orc(draft, machine, orc);
	if (read_call_frames(&found, machine, reader, err) &&
	    (!has_orc || (!row->is_signal && is_same_cfa(&found.row.cfa, &row->cfa)))) {
		*draft = found;
		return true;
	}
	return has_orc;
}

static void make_signal_row(struct ic_unwind_row_draft *draft,
			    const struct ic_unwind_machine *machine,
			    const struct ic_signal_code *code)
{
	struct ic_unwind_row *row = &draft->row;

	*row = (struct ic_unwind_row){
		.addr = row->addr,
		.of_exact = row->of_exact,
		.begins = IC_UNWIND_BEGINS,
		.cfa = { .kind = IC_RULE_REGISTER, .from = machine->sp },
		.return_reg = code->return_reg,
		.is_signal = true,
		.is_exact = true,
	};
	for (uint8_t i = 0; i < code->count; i++)
		if (code->regs[i] != IC_UNWIND_NO_REG)
			draft->rules[row->rule_count++] = (struct ic_register_rule){
				.kind = IC_RULE_OFFSET,
				.reg = code->regs[i],
				.at.offset = code->off + i * machine->word,
			};
}

// Only code that has been interrupted can be in a stub: it calls nothing.
static bool make_plt_row(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			 const struct ic_unwind_options *options)
{
	struct ic_unwind_row *row = &draft->row;
	bool has_link = machine->link != IC_UNWIND_NO_REG;
	int word = machine->word;
	uint8_t pushed;

	if (!draft->image || !row->of_exact ||
	    !ic_plt_code_find(options, draft->image, row->addr, row->addr - row->bias, &pushed))
		return false;
	row->cfa = (struct ic_register_rule){ .kind = IC_RULE_REGISTER,
					      .from = machine->sp,
					      .at.offset = word * (pushed + !has_link) };
	row->rule_count = 0;
	row->return_reg = has_link ? machine->link : machine->pc;
	if (!has_link)
		draft->rules[row->rule_count++] = (struct ic_register_rule){ .kind = IC_RULE_OFFSET,
									     .reg = machine->pc,
									     .at.offset = -word };
	return true;
}

bool ic_unwind_row_make(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			const struct ic_unwind_options *options, uint64_t pc)
{
	const struct ic_signal_code *code = ic_signal_code_at(options, pc);

	if (!code)
		return make_plt_row(draft, machine, options);
	make_signal_row(draft, machine, code);
	return true;
}
