"""Archives with the same bytes for the same files: tar, wheel and deb."""

import base64
import gzip
import hashlib
import io
import os
import subprocess
import tarfile
import time
import zipfile


class Tree:
    """Files by their paths: bytes and mode."""

    def __init__(self):
        self.files = {}

    def add(self, path, content, mode=0o644):
        self.files[path] = (content.encode() if isinstance(content, str) else content, mode)

    def add_file(self, path, source, mode=0o644):
        with open(source, "rb") as file:
            self.add(path, file.read(), mode)

    def add_python(self, path, source):
        for folder, names, files in os.walk(source):
            names[:] = [name for name in names if name != "__pycache__"]
            for name in files:
                file = os.path.join(folder, name)
                self.add_file(os.path.join(path, os.path.relpath(file, source)), file)

    def __iter__(self):
        return iter(sorted((path, *file) for path, file in self.files.items()))


def compressed(content):
    return gzip.compress(content.encode() if isinstance(content, str) else content, mtime=0)


def write_tar(path, tree, root, date):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        folders = {root}
        for name, _, _ in tree:
            parts = f"{root}/{name}".split("/")[:-1]
            folders |= {"/".join(parts[:count + 1]) for count in range(len(parts))}
        entries = [(folder, None, 0o755) for folder in folders]
        entries += [(f"{root}/{name}", content, mode) for name, content, mode in tree]
        for name, content, mode in sorted(entries, key=lambda entry: entry[0]):
            info = tarfile.TarInfo(name)
            info.mode, info.mtime, info.uname, info.gname = mode, date, "root", "root"
            info.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            info.size = len(content or b"")
            archive.addfile(info, io.BytesIO(content or b""))
    with open(path, "wb") as file:
        file.write(compressed(buffer.getvalue()))


def write_wheel(path, tree, metadata, date):
    """`metadata` are the name, the version and the files of the folder dist-info."""
    name, version, files = metadata
    folder = f"{name}-{version}.dist-info"
    for file, content in files.items():
        tree.add(f"{folder}/{file}", content)
    record = []
    for file, content, _ in tree:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{file},sha256={digest},{len(content)}")
    tree.add(f"{folder}/RECORD", "\n".join([*record, f"{folder}/RECORD,,", ""]))
    stamp = max(time.gmtime(date)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content, mode in tree:
            info = zipfile.ZipInfo(file, stamp)
            info.external_attr = (0o100000 | mode) << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)


def write_deb(path, tree, control, scripts, work, date):
    """`control` without the size; `scripts` by their names, such as postinst."""
    size = sum(-(-len(content) // 1024) for _, content, _ in tree)
    root = os.path.join(work, "deb")
    for name, content, mode in tree:
        write(os.path.join(root, name), content, mode)
    write(f"{root}/DEBIAN/control", f"{control}Installed-Size: {size}\n".encode(), 0o644)
    sums = "".join(f"{hashlib.md5(content).hexdigest()}  {name}\n" for name, content, _ in tree)
    write(f"{root}/DEBIAN/md5sums", sums.encode(), 0o644)
    for name, text in scripts.items():
        write(f"{root}/DEBIAN/{name}", text.encode(), 0o755)
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--uniform-compression", "-Zxz", "--threads-max=1",
         "--build", root, path],
        check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(date)})


def write(path, content, mode):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)
