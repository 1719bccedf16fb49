"""Properties of ELF files, as readelf prints them."""

import os
import re
import shutil
import subprocess


def readelf(*arguments):
    return subprocess.run(
        ["readelf", "--wide", *arguments], capture_output=True, text=True, check=True).stdout


def copy(source, target, *options):
    """Copies parts of a file with the tool of the Swift toolchain: that of binutils loses RELRO."""
    tools = os.path.dirname(os.path.realpath(shutil.which("swift")))
    subprocess.run([f"{tools}/llvm-objcopy", *options, source, target], check=True)


def build_id(path):
    return re.search(r"Build ID: ([0-9a-f]+)", readelf("--notes", path))[1]


def glibc(path):
    """The version of glibc that a program needs, such as (2, 36)."""
    needs = readelf("--version-info", path).split("Version needs section")[1]
    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", needs)
    if "GLIBC_ABI_DT_RELR" in needs:
        versions.append(("2", "36"))
    return max((int(major), int(minor)) for major, minor in versions)


def libraries(path):
    """The shared libraries that are loaded at the start."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("--dynamic", path))


def problems(path):
    """Returns the reasons why a program cannot be released."""
    header, dynamic = readelf("--file-header", "--segments", path), readelf("--dynamic", path)
    stack = re.search(r"GNU_STACK.*", header)
    if "DYN (" not in header or "INTERP" not in header:
        yield "it cannot be loaded anywhere (PIE)"
    if not re.search(r"FLAGS.*\bNOW\b", dynamic):
        yield "its symbols are not bound at the start (BIND_NOW)"
    if "GNU_RELRO" not in header:
        yield "what is relocated in it stays writable (RELRO)"
    if not stack or "E" in stack[0].split()[-2]:
        yield "its stack is executable"
    if re.search(r"RPATH|RUNPATH", dynamic):
        yield "it loads libraries that lie beside it"
    for library in libraries(path):
        if not re.fullmatch(r"lib[cm]\.so\.6|ld-linux-.*", library):
            yield f"it needs {library}, which a wheel cannot name"
