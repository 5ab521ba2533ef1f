// The rows of profiles.
#include "report/rows/rows.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_profile_row, key), 0, NULL }
#define HOST(key, type)  { #key, IC_FIELD_##type, offsetof(struct ic_profile_host, key), 0, NULL }

static const struct ic_field host_fields[] = { HOST(function, TEXT), HOST(total, BYTES) };

static const struct ic_schema host_schema = {
	host_fields, sizeof(host_fields) / sizeof(*host_fields), sizeof(struct ic_profile_host)
};

// For tables, where the hosts of a function are a list.
#define COLUMNS                        \
	FIELD(type,          TEXT),    \
	FIELD(event,         TEXT),    \
	FIELD(unit,          TEXT),    \
	FIELD(by,            TEXT),    \
	FIELD(function,      TEXT),    \
	FIELD(linkage_name,  TEXT),    \
	FIELD(decl_file,     TEXT),    \
	FIELD(decl_line,     COUNT),   \
	FIELD(caller,        TEXT),    \
	FIELD(call_file,     TEXT),    \
	FIELD(call_line,     COUNT),   \
	FIELD(source,        TEXT),    \
	FIELD(line,          COUNT),   \
	FIELD(file,          TEXT),    \
	FIELD(thread,        TEXT),    \
	FIELD(pid,           COUNT),   \
	FIELD(tid,           COUNT),   \
	FIELD(self,          BYTES),   \
	FIELD(self_inlined,  BYTES),   \
	FIELD(total,         BYTES),   \
	FIELD(total_inlined, BYTES),   \
	FIELD(self_samples,  BYTES),   \
	FIELD(total_samples, BYTES),   \
	FIELD(unknown,       BYTES),   \
	FIELD(no_debug,      BYTES),   \
	FIELD(whole,         BYTES)

static const struct ic_field columns[] = { COLUMNS };

static const struct ic_field fields[] = {
	COLUMNS,
	{ "hosts", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_profile_row, hosts),
	  offsetof(struct ic_profile_row, host_count), &host_schema },
};
// clang-format on

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_profile_row) };

static const struct ic_schema column_schema = { columns, sizeof(columns) / sizeof(*columns),
						sizeof(struct ic_profile_row) };

static void split_row(const void *row, ic_line_function *line, void *context)
{
	line(context, &column_schema, row);
}

static const struct ic_schema *const profile_schemas[] = { &schema, NULL };

const struct ic_row_type ic_profile_row_type = { IC_ROWS_PROFILE, &column_schema, profile_schemas,
						 NULL, split_row };

struct profile_rows {
	struct ic_rows rows; // must be first
	const struct ic_profile_groups *groups;
	struct ic_profile_event event;
	struct ic_profile_row row;
};

static const char *by_name(enum ic_profile_by by)
{
	switch (by) {
	case IC_PROFILE_BY_FUNCTION: return "function";
	case IC_PROFILE_BY_CALL: return "call";
	case IC_PROFILE_BY_LINE: return "line";
	case IC_PROFILE_BY_HOST: return "host";
	case IC_PROFILE_BY_SOURCE: return "source";
	case IC_PROFILE_BY_FILE: return "file";
	case IC_PROFILE_BY_THREAD: return "thread";
	case IC_PROFILE_BY_CALLER: return "caller";
	case IC_PROFILE_BY_CALLEE: return "callee";
	}
	return NULL;
}

static void fill_all(struct profile_rows *rows)
{
	const struct ic_profile_event *event = &rows->event;
	struct ic_profile_row *row = &rows->row;

	row->by = "all";
	row->self = row->total = event->weight;
	row->self_inlined = row->total_inlined = UINT64_MAX;
	row->self_samples = row->total_samples = event->samples;
	row->unknown = event->unknown;
	row->no_debug = event->no_debug;
}

static void fill_position(struct profile_rows *rows, const struct ic_profile_group *group)
{
	struct ic_profile_row *row = &rows->row;
	const char *source = ic_filler_path(&rows->rows.filler, group->source);

	if (group->by == IC_PROFILE_BY_CALL) {
		row->caller = group->caller;
		row->call_file = source;
		row->call_line = group->line;
	} else if (group->by == IC_PROFILE_BY_LINE || group->by == IC_PROFILE_BY_SOURCE) {
		row->source = source;
		row->line = group->line;
	} else {
		row->decl_file = source;
		row->decl_line = group->line;
	}
}

static void fill_group(struct profile_rows *rows, const struct ic_profile_group *group)
{
	struct ic_profile_row *row = &rows->row;

	row->by = by_name(group->by);
	row->group = group->by;
	row->function = group->function;
	row->linkage_name = group->linkage_name;
	fill_position(rows, group);
	row->file = group->file;
	row->thread = group->thread;
	row->pid = group->pid;
	row->tid = group->tid;
	row->self = group->self;
	row->self_inlined = group->self_inlined;
	row->total = group->total;
	row->total_inlined = group->total_inlined;
	row->self_samples = group->self_samples;
	row->total_samples = group->total_samples;
	row->unknown = UINT64_MAX;
	row->no_debug = group->by == IC_PROFILE_BY_CALLER || group->by == IC_PROFILE_BY_CALLEE
				? UINT64_MAX
				: group->self_no_debug;
	if (group->by == IC_PROFILE_BY_FUNCTION) {
		row->hosts = group->hosts;
		row->host_count = group->host_count;
	}
}

// Row 0 is for all samples.
static const void *make_row(struct ic_rows *common, size_t number)
{
	struct profile_rows *rows = (struct profile_rows *)common;
	struct ic_profile_group group;

	rows->row = (struct ic_profile_row){ .type = "profile",
					     .event = rows->event.name,
					     .whole = rows->event.weight,
					     .unit = rows->event.unit };
	if (number == 0) {
		fill_all(rows);
		return &rows->row;
	}
	ic_profile_groups_get(rows->groups, number - 1, &group);
	fill_group(rows, &group);
	return &rows->row;
}

struct ic_rows *ic_rows_of_profile(const struct ic_profile_groups *groups,
				   const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct profile_rows), &ic_profile_row_type, options, err);
	struct profile_rows *rows = (struct profile_rows *)common;

	if (!rows)
		return NULL;
	rows->groups = groups;
	ic_profile_groups_event(groups, &rows->event);
	common->make = make_row;
	common->count = ic_profile_groups_count(groups) + 1;
	common->left_out = ic_profile_groups_left_out(groups);
	return common;
}
