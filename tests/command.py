"""The command line within this process: what it prints, and its exit code."""

import subprocess
import sys
from io import BytesIO, TextIOWrapper
from unittest.mock import patch

from aesforge.cli.main import main


def within(*words: object) -> subprocess.CompletedProcess[str]:
    """What `aesforge` with these words does. A process of its own would take longer to start."""
    argv, code = ["aesforge", *map(str, words)], 0
    stdin, out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(3))
    with patch.multiple(sys, argv=argv, stdin=stdin, stdout=out, stderr=err):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return subprocess.CompletedProcess(argv, code, *texts)
