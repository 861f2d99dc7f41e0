"""⋈ on the keys of both sides: a row of the answer is one row of each side, so the changes of both are merged.

They are brought together by key, in order of time, after the rows of before; at each point the newest row of either
side is known, and the one that was the newest before it. One shuffle and one sort, whatever happens to a key in the
slice, where the bilinear form of a join tries every change on one side with every change on the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from syncsql.algebra.expressions import Column, sql
from syncsql.algebra.keys import equal_columns, key_of
from syncsql.algebra.relations import Join
from syncsql.operators.context import Context
from syncsql.stream.flow import Flow
from syncsql.stream.names import AT, NEW, OLD
from syncsql.stream.text import Sql, among, listed, over, struct

SharedKey = Sequence[tuple[Column, Column]]


def shared_key(node: Join, left: Flow, right: Flow) -> SharedKey | None:
    """The columns (of the left side, of the right side) that are the key of both, and equal in every row of the
    answer; None where it is not so, or where the changes of a side are not known by its key."""
    mine, theirs = key_of(node.left), key_of(node.right)
    if not mine or not theirs or not (left.has_pairs and right.has_pairs):
        return None
    ids, their_ids = {c.id for c in mine}, {c.id for c in theirs}
    pairs = [(a, b) for a, b in equal_columns(node) if a.id in ids and b.id in their_ids]
    covered = {a.id for a, _ in pairs} == ids and {b.id for _, b in pairs} == their_ids
    return pairs if covered else None


def merged_pairs(node: Join, left: Flow, right: Flow, key: SharedKey, context: Context) -> Sql:
    """The changes of the answer, as pairs."""
    names = [f"_k{n}" for n in range(len(key))]
    sides = ((left, [a.id for a, _ in key], "_l"), (right, [b.id for _, b in key], "_r"))
    changes = [(context.scratch.once(f.pairs).text if f.costly else f.pairs) for f, _, _ in sides]

    def keys(columns: list[str], prefix: str = "") -> list[str]:
        return [f"{prefix}{c} AS {n}" for c, n in zip(columns, names, strict=True)]

    def told(side: str, row: str) -> list[str]:
        """What a line says of each side: in a struct, since that a side has no row now is said by a NULL in it."""
        return [f"struct({row} AS row) AS {s}" if s == side else f"NULL AS {s}" for _, _, s in sides]

    both = [
        f"SELECT {listed([*keys(columns, f'coalesce({NEW}, {OLD}).'), *told(side, NEW), AT])} FROM ({pairs})"
        for (_, columns, side), pairs in zip(sides, changes, strict=True)
    ]
    if context.slice.first is None:
        touched = " UNION ".join(f"SELECT {listed(names)} FROM ({text})" for text in both)
        for flow, columns, side in sides:
            cells = listed([*keys(columns), *told(side, struct(flow.ids)), f"{context.slice.start}L AS {AT}"])
            both.append(among(f"SELECT {cells} FROM ({flow.before})", names, touched, names))

    here, earlier = over(names, AT), over(names, AT, "RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING")
    newest = [f"last({s}, TRUE) {w} AS {p}{s}" for p, w in (("_new", here), ("_old", earlier)) for _, _, s in sides]
    stepped = f"SELECT {listed([AT, *newest])}, lead({AT}) {here} AS _next FROM ({context.scratch.union(*both)})"
    cells = listed([_joined(node, "_old", OLD), _joined(node, "_new", NEW), AT])
    # Where both sides change at a point, its last line knows both.
    last = f"{AT} > {context.slice.start} AND (_next IS NULL OR _next > {AT})"
    return f"SELECT * FROM (SELECT {cells} FROM ({stepped}) WHERE {last}) WHERE NOT ({OLD} <=> {NEW})"


def _joined(node: Join, when: str, name: str) -> str:
    """The row of the answer at a time, where both sides have a row then that the condition takes."""
    left = {c.id for c in node.left.columns}

    def column(c: Column) -> str:
        return f"{when}{'_l' if c.id in left else '_r'}.row.`{c.id}`"

    there = f"{when}_l.row IS NOT NULL AND {when}_r.row IS NOT NULL AND {sql(node.condition, column)}"
    return f"CASE WHEN {there} THEN {struct([f'{column(c)} AS {c.id}' for c in node.columns])} END AS {name}"
