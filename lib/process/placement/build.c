// Whether the running build is that of the file, by the notes in SYSFS.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "elf/files/build_id.h"
#include "elf/image/image.h"
#include "process/placement/placement.h"

enum { MOST_NOTES_SIZE = 4096 };

bool ic_placing_check_build(const struct ic_placing *placing, struct ic_error *err)
{
	const char *sysfs = placing->placements->options.sysfs;
	const char *module = placing->placement->module;
	char path[4096], name[IC_MODULE_NAME_SIZE + 16] = "the kernel";
	char texts[2][IC_BUILD_ID_TEXT_SIZE];
	uint8_t notes[MOST_NOTES_SIZE];

	snprintf(path, sizeof(path), "%s/kernel/notes", sysfs);
	if (*module) {
		snprintf(path, sizeof(path), "%s/module/%s/notes/.note.gnu.build-id", sysfs,
			 module);
		snprintf(name, sizeof(name), "module %s", module);
	}
	IC_AUTO(ic_close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, notes, sizeof(notes));
	struct ic_bytes id = ic_build_id_find(&placing->image->file);
	struct ic_bytes loaded = ic_build_id_in_notes(
		(struct ic_bytes){ notes, size > 0 ? (size_t)size : 0 }, placing->image->file.swap);
	if (loaded.size == 0 ||
	    (loaded.size == id.size && memcmp(loaded.data, id.data, id.size) == 0))
		return true;
	return ic_fail(err, IC_ERROR_MISMATCH,
		       "%s: build ID is %s, but %s in %s has %s: a different build of the %s",
		       placing->path, ic_build_id_text(id, texts[0]), name, sysfs,
		       ic_build_id_text(loaded, texts[1]), *module ? "module" : "kernel");
}
