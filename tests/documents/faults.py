"""The faults of a document as JSON: faults.py LIBRARY FILE"""

import dataclasses
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "blender_addon"))
from sinew.document import Document
from sinew.library import Library

with Document.load(sys.argv[2], library=Library(sys.argv[1])) as document:
    print(
        json.dumps(
            {"faults": [dataclasses.asdict(fault) for fault in document.faults()], "warnings": document.warnings()}
        )
    )
