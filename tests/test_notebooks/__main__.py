"""Runs the notebooks, each in a kernel of its own, and writes what they show into them.

python -m tests.test_notebooks [part of a name …]
"""

from __future__ import annotations

import sys
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.test_notebooks.test_notebooks import NOTEBOOKS

# What a kernel adds of itself differs from machine to machine.
_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def _empty(output: Any) -> bool:
    """What a progress bar leaves behind."""
    return output.output_type == "display_data" and not output.data.get("text/plain") and len(output.data) <= 2


def main() -> None:
    for path in NOTEBOOKS:
        if len(sys.argv) > 1 and not any(part in path.stem for part in sys.argv[1:]):
            continue
        print(path.stem, flush=True)
        notebook = nbformat.read(path, as_version=4)
        where = {"metadata": {"path": str(path.parent)}}
        NotebookClient(notebook, timeout=1800, kernel_name="python3", record_timing=False, resources=where).execute()
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = [o for o in cell.outputs if not _empty(o)]
        notebook.metadata = nbformat.from_dict(_METADATA)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
