"""Files that are uploaded."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Union

_media_types = {
    ".txt": "text/plain",
    ".tsv": "text/tab-separated-values",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def media_type(file: object) -> str:
    suffix = Path(file).suffix.lower() if isinstance(file, (str, os.PathLike)) else ""
    return _media_types.get(suffix, "text/csv")


def read_file(file: Union[str, "os.PathLike[str]", bytes, IO[bytes]]) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes()
    return file.read()
