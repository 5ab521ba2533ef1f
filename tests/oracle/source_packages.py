"""Sources of the distribution's packages, fetched with apt-get once, into the user's cache."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path


class NotThere(Exception):
    """What is needed is not on this machine, and cannot be fetched."""


def cache():
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inlinecall-oracle"


def source_lists(folder, suites):
    """The machine's package sources, of source packages, and those of more suites of the same
    archives; not of those of security updates, which have no such suites."""
    folder.mkdir()
    for path in Path("/etc/apt/sources.list.d").glob("*.sources"):
        text = re.sub(r"(?m)^Types:.*", "Types: deb-src", path.read_text())
        stanzas = [stanza for stanza in re.split(r"\n\s*\n", text) if "Suites:" in stanza]
        stanzas += [re.sub(r"(?m)^Suites:.*", f"Suites: {suite}", stanza) for suite in suites
                    for stanza in stanzas if not re.search(r"(?m)^Suites:.*-security", stanza)]
        (folder / path.name).write_text("\n\n".join(stanzas) + "\n")
    for path in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*.list")]:
        if path.exists():
            lines = [re.sub(r"^deb ", "deb-src ", line) for line in path.read_text().splitlines()]
            (folder / f"{path.stem}-src.list").write_text("\n".join(lines) + "\n")


def command(*words, cwd):
    result = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if result.returncode:
        raise NotThere(f"{words[0]}: {result.stderr.strip()}")


def fetched_source(package, name, parts=(), suites=()):
    """The folder of that name in the cache, with the source of a package, or with parts of it. It
    may also be in these suites of Debian, in place of the machine's."""
    folder = cache() / name
    if folder.is_dir():
        return folder
    if not shutil.which("apt-get"):
        raise NotThere("no apt-get")
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as temporary:
        fresh = Path(temporary)
        source_lists(fresh / "sources", suites)
        (fresh / "lists/partial").mkdir(parents=True)
        apt = ["apt-get", "-qq", "-o", "Dir::Etc::SourceList=/dev/null",
               "-o", f"Dir::Etc::SourceParts={fresh}/sources",
               "-o", f"Dir::State::Lists={fresh}/lists", "-o", "Dir::Cache::pkgcache=",
               "-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Sandbox::User=root"]
        # A list that has no source packages is an error of this one only.
        subprocess.run([*apt, "update"], capture_output=True, check=False)
        command(*apt, "--download-only", "--tar-only", "source", package, cwd=fresh)
        archive = next(fresh.glob("*.orig.tar.*"))
        (fresh / "files").mkdir()
        wanted = ["--wildcards", *(f"*/{part}" for part in parts)] if parts else []
        command("tar", "-xf", str(archive), "-C", "files", "--strip-components=1", *wanted,
                cwd=fresh)
        (fresh / "files").rename(folder)
    return folder
