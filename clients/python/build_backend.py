"""Builds the wheel and the source archive (PEP 517) with the standard library only.

The result is the same on every machine, and needs no network: the package has only Python files.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, List, Optional

root = Path(__file__).parent
package = "trawl_client"
#: 1980-01-01, the first day that a zip archive knows.
changed_at = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def _project() -> Dict[str, object]:
    """Returns the table `project`. Python 3.9 and 3.10 have no parser of TOML: this reads its own file."""
    values: Dict[str, object] = {}
    section = ""
    source = (root / "pyproject.toml").read_text(encoding="utf-8")
    for name, header, value in re.findall(
        r"^(?:\[([\w.-]+)\]|([\w-]+) = (\[[^\]]*\]|\"[^\"]*\"))$", source, re.MULTILINE
    ):
        if name:
            section = name
            continue
        texts = re.findall(r'"([^"]*)"', value)
        values[f"{section}.{header}"] = texts if value.startswith("[") else texts[0]
    return values


def _texts(value: object) -> List[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _metadata() -> str:
    project = _project()
    field = {name[len("project.") :]: value for name, value in project.items()}
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {field['name']}",
        f"Version: {field['version']}",
        f"Summary: {field['description']}",
        f"Keywords: {','.join(_texts(field['keywords']))}",
        f"License-Expression: {field['license']}",
        "License-File: LICENSE",
        *(f"Classifier: {name}" for name in _texts(field["classifiers"])),
        f"Requires-Python: {field['requires-python']}",
    ]
    for name, value in field.items():
        if name.startswith("optional-dependencies."):
            extra = name.split(".")[1]
            lines.append(f"Provides-Extra: {extra}")
            lines += [f'Requires-Dist: {one}; extra == "{extra}"' for one in _texts(value)]
    readme = (root / "README.md").read_text(encoding="utf-8")
    lines += ["Description-Content-Type: text/markdown", "", readme]
    return "\n".join(lines)


def _name() -> str:
    return f"{package}-{_project()['project.version']}"


def _sources() -> List[Path]:
    files = sorted((root / "src" / package).rglob("*"))
    return [file for file in files if file.suffix == ".py" or file.name == "py.typed"]


def _contents() -> Dict[str, bytes]:
    """Returns the files of the wheel by path, without `RECORD`."""
    wheel = "Wheel-Version: 1.0\nGenerator: trawl\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    info = f"{_name()}.dist-info"
    return {
        **{file.relative_to(root / "src").as_posix(): file.read_bytes() for file in _sources()},
        f"{info}/licenses/LICENSE": (root / "LICENSE").read_bytes(),
        f"{info}/METADATA": _metadata().encode(),
        f"{info}/WHEEL": wheel.encode(),
    }


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, object]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Writes the wheel, and returns its file name."""
    contents = _contents()
    record = f"{_name()}.dist-info/RECORD"
    lines = []
    for path, body in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(body)}\n")
    contents[record] = ("".join(lines) + f"{record},,\n").encode()
    name = f"{_name()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, body in contents.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, body)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, object]] = None) -> str:
    """Writes the source archive, and returns its file name."""
    own = ["pyproject.toml", "build_backend.py", "README.md", "LICENSE"]
    files = {name: (root / name).read_bytes() for name in own}
    files.update({file.relative_to(root).as_posix(): file.read_bytes() for file in _sources()})
    files["PKG-INFO"] = _metadata().encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, body in files.items():
            entry = tarfile.TarInfo(f"{_name()}/{path}")
            entry.size, entry.mtime, entry.mode = len(body), changed_at, 0o644
            archive.addfile(entry, io.BytesIO(body))
    name = f"{_name()}.tar.gz"
    (Path(sdist_directory) / name).write_bytes(gzip.compress(packed.getvalue(), mtime=changed_at))
    return name
