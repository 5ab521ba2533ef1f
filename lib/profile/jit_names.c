#include "profile/jit_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/jit_code.h"

struct jit { // of one process
	struct ic_mapping file;
	struct ic_jit_code code;
};

struct namer {
	struct ic_profile *profile;
	IC_ARRAY(struct jit) list;
	struct ic_map by_pid;
	struct ic_map dump_of; // by process: the index of a file
	IC_ARRAY(struct ic_profile_given) frames;
};

static void report_problem(struct ic_profile *profile, const char *path, const struct ic_error *err)
{
	profile->problems.file = ic_profile_text(profile, path);
	ic_problems_add(&profile->problems, err, NULL, 0);
	ic_problems_finish(&profile->problems, NULL, 0);
}

static bool read_file(struct namer *namer, struct jit *jit, const char *path, struct ic_error *err)
{
	const struct ic_place place = { .name = path, .path = path, .size = IC_PLACE_TO_END };
	struct stat st;
	uint64_t wrong;

	if (stat(path, &st) != 0)
		return true;
	if (st.st_uid != geteuid() && st.st_uid != 0) { // its owner could mislead; as in perf
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"not read: owned by neither the current user nor root");
		report_problem(namer->profile, path, err);
		return true;
	}
	if (!ic_mapping_open(&jit->file, &place, err)) {
		report_problem(namer->profile, path, err);
		return err->code != IC_ERROR_MEMORY;
	}
	const struct ic_bytes bytes = { jit->file.data, jit->file.size };
	if (!ic_jit_code_read(&jit->code, bytes, &wrong))
		return false;
	if (wrong > 0) {
		ic_fail(err, IC_ERROR_MALFORMED, "%" PRIu64 " of its lines or records are invalid",
			wrong);
		report_problem(namer->profile, path, err);
	}
	return true;
}

// Finds the jitdumps that were mapped according to the recording: "/path/jit-PID.dump".
static bool list_dumps(struct namer *namer)
{
	const struct ic_profile *profile = namer->profile;

	for (uint32_t i = 0; i < profile->files.count; i++) {
		const char *name = strrchr(profile->files.items[i].path, '/');
		uint32_t pid;
		int end = 0;
		if (!name || sscanf(name, "/jit-%" SCNu32 ".dump%n", &pid, &end) != 1 || end == 0 ||
		    name[end])
			continue;
		uint32_t *number = ic_map_at(&namer->dump_of, pid);
		if (!number)
			return false;
		*number = i;
	}
	return true;
}

static bool open_files(struct namer *namer, struct jit *jit, uint32_t pid, struct ic_error *err)
{
	const struct ic_profile *profile = namer->profile;
	const char *root = profile->sysroot ? profile->sysroot : "";
	const uint32_t *dump = ic_map_find(&namer->dump_of, pid);
	char *path;
	int size = dump ? asprintf(&path, "%s%s", root, profile->files.items[*dump].path)
			: asprintf(&path, "%s/tmp/perf-%" PRIu32 ".map", root, pid);

	if (size < 0)
		return false;
	bool ok = read_file(namer, jit, path, err);
	free(path);
	return ok;
}

// The functions recorded by a process; NULL if memory runs out.
static struct jit *jit_of(struct namer *namer, uint32_t pid, struct ic_error *err)
{
	uint32_t *number = ic_map_at(&namer->by_pid, pid);

	if (!number || *number != IC_NONE)
		return number ? &namer->list.items[*number] : NULL;
	struct jit *jit = IC_ARRAY_PUSH(&namer->list);
	if (!jit)
		return NULL;
	*jit = (struct jit){ .file = { 0 } };
	*number = namer->list.count - 1;
	return open_files(namer, jit, pid, err) ? jit : NULL;
}

// Java agents write functions together with those inlined into them, "outer->inner".
static bool add_names(struct namer *namer, struct ic_bytes name)
{
	while (name.data) {
		const uint8_t *arrow = name.size > 2 ? memmem(name.data + 1, name.size - 2, "->", 2)
						     : NULL;
		size_t size = arrow ? (size_t)(arrow - name.data) : name.size;
		struct ic_profile_given *frame = IC_ARRAY_PUSH(&namer->frames);
		if (!frame)
			return false;
		*frame = ic_profile_given_name(
			ic_profile_text_number(namer->profile,
					       (struct ic_bytes){ name.data, size }),
			namer->frames.count > 1);
		if (frame->name == IC_NONE)
			return false;
		name = arrow ? (struct ic_bytes){ arrow + 2, name.size - size - 2 }
			     : (struct ic_bytes){ NULL, 0 };
	}
	return true;
}

static bool name_location(struct namer *namer, const struct ic_jit_code *code, uint32_t number)
{
	uint64_t addr = namer->profile->locations.items[number].addr;
	const struct ic_jit_function *function = ic_jit_code_find(code, addr);

	if (!function)
		return true;
	namer->frames.count = 0;
	if (!add_names(namer, function->name))
		return false;
	struct ic_profile_given *frames = namer->frames.items;
	uint32_t count = namer->frames.count;
	ic_profile_given_reverse(frames, count);
	const struct ic_jit_line *line = ic_jit_code_line(code, function, addr);
	if (line && line->source.size > 0) {
		frames[0].source = ic_profile_text_number(namer->profile, line->source);
		frames[0].line = line->line;
	}
	return ic_profile_location_give(namer->profile, number, frames, count);
}

bool ic_profile_name_jit_code(struct ic_profile *profile, struct ic_error *err)
{
	struct namer namer = { .profile = profile };
	struct ic_error ignored;
	bool ok = list_dumps(&namer);

	for (uint32_t i = 0; ok && i < profile->locations.count; i++) {
		const struct ic_profile_file *file =
			&profile->files.items[profile->locations.items[i].file];
		if (file->kind != IC_PROFILE_MEMORY || file->pid == 0)
			continue;
		struct jit *jit = jit_of(&namer, file->pid, &ignored);
		ok = jit && name_location(&namer, &jit->code, i);
	}
	for (uint32_t i = 0; i < namer.list.count; i++) {
		ic_jit_code_free(&namer.list.items[i].code);
		ic_mapping_close(&namer.list.items[i].file);
	}
	IC_ARRAY_FREE(&namer.list);
	IC_ARRAY_FREE(&namer.frames);
	ic_map_free(&namer.by_pid);
	ic_map_free(&namer.dump_of);
	return ok || ic_fail_memory(err);
}
