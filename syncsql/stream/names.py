"""Names of the columns that the engine adds to the user's. All begin with an underscore; users' columns may not."""

from __future__ import annotations

# A change as a line: multiplicity and point.
WEIGHT = "_w"
AT = "_at"
# A change as a pair: the row before and after the point, as structs.
OLD = "_old"
NEW = "_new"
# The log of a stream.
CHANGE = "_change_type"
SEQ = "_seq"
NET = "_net"
FULL = "_full"
BEFORE = "_before"
INSERT, UPDATE, DELETE = "insert", "update_postimage", "delete"
# The synchronized relation: the TS of its rows.
TS = "_ts"
# The raw tuples of a source: the number of the push and the place in it.
PUSH = "_push"
POS = "_pos"
