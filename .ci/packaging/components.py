"""The list of linked components (SPDX 2.3), from the linker's map."""

import json
import os
import re
import subprocess
import time

SWIFT = ("Swift", "Apache-2.0 WITH Swift-exception", "https://github.com/swiftlang/swift")
GCC = ("GCC runtime libraries", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org")
GLIBC = ("GNU C Library", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc")
# What each archive or object file of the system and of the toolchain belongs to.
KNOWN = {
    **dict.fromkeys((
        "libswiftCore.a", "libswift_Concurrency.a", "libswift_StringProcessing.a",
        "libswift_RegexParser.a", "libswiftSynchronization.a", "libswiftGlibc.a", "swiftrt.o",
        "libdispatch.a", "libBlocksRuntime.a"), SWIFT),
    **dict.fromkeys((
        "libstdc++.a", "libgcc.a", "libgcc_eh.a", "crtbeginS.o", "crtendS.o"), GCC),
    **dict.fromkeys((
        "Scrt1.o", "crti.o", "crtn.o", "libc_nonshared.a", "libc.so.6", "libm.so.6"), GLIBC),
    "libsqlite3.a": ("SQLite", "blessing", "https://sqlite.org"),
    "libcrypt.a": ("libxcrypt", "LGPL-2.1-or-later", "https://github.com/besser82/libxcrypt"),
}


def linked_files(link_map):
    """The files outside of the build that have something in the program."""
    with open(link_map, encoding="utf-8") as file:
        found = set(re.findall(r"\s(/[^:(\s]+?\.(?:a|o))(?:\([^)]*\))?:\(", file.read()))
    return sorted(path for path in found if "/.build/" not in path)


def version_of(path):
    """The version of the Debian package that a file is from, or of Swift."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr")):
        owner = subprocess.run(
            ["dpkg-query", "--search", name], capture_output=True, text=True, check=False).stdout
        if owner:
            package = owner.split(": ")[0].split(",")[0]
            return subprocess.run(
                ["dpkg-query", "--show", "--showformat=${source:Version}", package],
                capture_output=True, text=True, check=True).stdout
    text = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=True)
    return re.search(r"Swift version (\S+)", text.stdout)[1]


def components(link_map, libraries):
    """Name, version, licence, address and kind of each component."""
    found = {}
    for path in linked_files(link_map):
        name = os.path.basename(path)
        if name not in KNOWN:
            raise SystemExit(f"release: which component is {path} of? Add it to {__file__}.")
        what = KNOWN[name]
        if what is GLIBC:
            continue  # its start files; the rest is shared
        found.setdefault(what, (version_of(path), []))[1].append(name)
    rows = [(*what, version, names, "STATIC_LINK") for what, (version, names) in found.items()]
    shared = [name for name in libraries if name in KNOWN]
    version = version_of(f"/lib/x86_64-linux-gnu/{shared[0]}") if shared else ""
    rows.append((*GLIBC, version, shared, "DYNAMIC_LINK"))
    rows.append((
        "libcurl", "curl", "https://curl.se", "NOASSERTION", ["libcurl.so.4"],
        "OPTIONAL_DEPENDENCY_OF"))
    rows.append((
        "libexpat", "MIT", "https://libexpat.github.io", "NOASSERTION", ["libexpat.so.1"],
        "OPTIONAL_DEPENDENCY_OF"))
    return rows


LGPL = "LGPL-2.1"
LICENCES = "/usr/share/common-licenses"


def lgpl_text():
    with open(f"{LICENCES}/{LGPL}", encoding="utf-8") as file:
        return file.read()


def notices(rows, version):
    """The notice for each linked library under the LGPL; empty if there is none."""
    return "\n".join(
        f"The program todo-server contains {name} {number}\n"
        f"({address}), which is covered by the GNU Lesser General Public\n"
        "License, version 2.1 or later. You may change the library, and link the program with it\n"
        f"again: todo-server-{version}-source.tar.gz has the sources of the program, and\n"
        "swift build -c release --static-swift-stdlib --product todo-server\n"
        f"links them with the {' '.join(files)} of the system. The sources of the library are those\n"
        f"of Debian's source package {name} {number}.\n"
        for name, licence, address, number, files, kind in rows
        if kind == "STATIC_LINK" and licence.startswith("LGPL"))


def document(rows, version, build, created):
    def package(identifier, name, number, licence, address, files):
        return {
            "SPDXID": identifier, "name": name, "versionInfo": number,
            "downloadLocation": "NOASSERTION", "homepage": address, "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **({"comment": " ".join(files)} if files else {})}

    own = "SPDXRef-todo-server"
    packages = [package(own, "todo-server", version, "Apache-2.0", "NOASSERTION", [])]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own)]
    for name, licence, address, number, files, kind in rows:
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9]+", "-", name)
        packages.append(package(identifier, name, number, licence, address, files))
        ends = (identifier, own) if kind.endswith("_OF") else (own, identifier)
        relations.append((ends[0], kind, ends[1]))
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"todo-server-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/todo-server-{version}-{build}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
            "creators": ["Tool: todo-server .ci/release"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations]}, indent=2) + "\n"
