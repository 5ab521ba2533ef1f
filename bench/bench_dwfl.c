// Times elfutils' libdwfl with the lookups of bench_space: bench_dwfl <PLACES
//
// One thread, since libdw allows no more: the names of the function and of those inlined around the
// address, and the line.
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <dwarf.h>

static char *debuginfo_path;
static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_build_id_find_elf,
					  .find_debuginfo = dwfl_standard_find_debuginfo,
					  .debuginfo_path = &debuginfo_path };

struct file {
	char path[4096];
	Dwfl_Module *module;
};

struct files {
	struct file *items;
	size_t count;
};

static Dwfl_Module *find_module(struct files *files, Dwfl *dwfl, const char *path)
{
	for (size_t i = 0; i < files->count; i++)
		if (strcmp(files->items[i].path, path) == 0)
			return files->items[i].module;
	files->items = realloc(files->items, (files->count + 1) * sizeof(*files->items));
	if (!files->items)
		exit(2);
	struct file *file = &files->items[files->count];
	snprintf(file->path, sizeof(file->path), "%s", path);
	dwfl_report_begin_add(dwfl);
	file->module = dwfl_report_elf(dwfl, path, path, -1, ++files->count * (1ull << 40), true);
	dwfl_report_end(dwfl, NULL, NULL);
	return file->module;
}

// How many frames there are at an address of the file.
static size_t look_up(Dwfl_Module *module, uint64_t addr)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *scopes = NULL, *found = NULL;
	size_t frames = 0;
	int line;

	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
	Dwarf_Die *unit = dwarf ? dwfl_module_addrdie(module, addr + bias, &bias) : NULL;
	int count = unit ? dwarf_getscopes(unit, addr, &scopes) : 0;
	for (int i = 0; i < count; i++) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag == DW_TAG_inlined_subroutine && !found) {
			Dwarf_Die *around = NULL;
			found = &scopes[i];
			int depth = dwarf_getscopes_die(found, &around);
			for (int j = 0; j < depth; j++) {
				tag = dwarf_tag(&around[j]);
				if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
					continue;
				frames += dwarf_diename(&around[j]) != NULL;
			}
			free(around);
			break;
		}
		if (tag == DW_TAG_subprogram) {
			frames += dwarf_diename(&scopes[i]) != NULL;
			break;
		}
	}
	free(scopes);
	Dwfl_Line *row = dwfl_module_getsrc(module, addr + bias);
	if (row)
		dwfl_lineinfo(row, NULL, &line, NULL, NULL, NULL);
	if (frames == 0)
		frames += dwfl_module_addrname(module, addr + bias) != NULL;
	return frames;
}

static double seconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct files files = { NULL, 0 };
	struct {
		Dwfl_Module *module;
		uint64_t addr;
	} *places = NULL;
	size_t count = 0;
	char path[4096];
	uint64_t addr;

	while (scanf("%4095s %*u %" SCNu64, path, &addr) == 2) {
		if ((count & (count - 1)) == 0)
			places = realloc(places, (count * 2 + 1) * sizeof(*places));
		if (!places)
			return 2;
		places[count].module = find_module(&files, dwfl, path);
		places[count++].addr = addr;
	}
	for (int round = 0; round < 2; round++) {
		double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
		size_t frames = 0;
		for (size_t i = 0; i < count; i++)
			frames += places[i].module ? look_up(places[i].module, places[i].addr) : 0;
		cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		wall = seconds(CLOCK_MONOTONIC) - wall;
		printf("%-8s %8.2f us CPU, %8.2f us wall a lookup; %zu frames\n",
		       round ? "again" : "first", cpu * 1e6 / (double)count,
		       wall * 1e6 / (double)count, frames);
	}
	dwfl_end(dwfl);
	free(places);
	free(files.items);
	return 0;
}
