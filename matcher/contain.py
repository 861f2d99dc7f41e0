"""Is the query's block contained in the view's, and how is it computed from it?

The tests of Goldstein and Larson's section 3, with implication proved by Z3 over three-valued logic. For an aligned
pair, with the rows r of the query's sources:

1. *rows*: W_q(r) ⇒ W_v(r): the view has every row that the query wants;
2. *compensation*: conditions C over what the view shows, with W_v(r) ∧ C(r) ⇔ W_q(r);
3. *outputs*: every expression that the query computes from r is computed from what the view shows.

A grouped view shows only what its groups have in common; :mod:`matcher.regroup` makes the query's groups from them.
A column that is not shown can be fetched again where the view shows a key of its relation (*join-back*).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from matcher.align import Alignment, alignments
from matcher.block import Base, Block, Grouping, Item, LeftJoin, columns_of, with_sync
from matcher.context import Context
from matcher.derive import Deriver
from matcher.facts import is_key
from matcher.hand import Hand
from matcher.prover import Refuted, Unproved
from matcher.regroup import regroup
from matcher.verdict import Failure, Found, NoMatch, Step, Unknown, better
from matcher.view import View
from syncsql.algebra.expressions import Call, Column, Expr, conjunction, substitute_columns
from syncsql.algebra.sync import CLOCK


def match_block(query: Block, view: View, context: Context) -> Found | Failure:
    """``query`` computed from ``view``, by the first alignment that allows it."""
    failure: Failure | None = None
    for aligned in alignments(query, view.block, context):
        if not isinstance(aligned, Alignment):
            failure = better(failure, aligned)
            continue
        if aligned.sync is not None:
            # At a point of one stream everything is what it is there.
            there = replace(aligned, view=with_sync(aligned.view, aligned.sync))
            scan = view.scan(aligned.sync, context.number())
            result = Containment(there, view.block, scan, context).solve()
            if isinstance(result, Found):
                return result
            failure = better(failure, result)
        if aligned.alike:
            result = Containment(aligned, view.block, view.scan(CLOCK, context.number()), context).solve()
            if isinstance(result, Found):
                return replace(result, always=True)
            failure = better(failure, result)
    if failure is None:
        return NoMatch("TABLES.DIFFERENT", f"`{view.name}` and the query have no relation in common")
    return failure


@dataclass
class Containment(Hand):
    """One aligned pair on its way through the tests."""

    def solve(self) -> Found | Failure:
        failure = self._rows()
        if failure is not None:
            return failure
        failure = self._one_row_per_group()
        if failure is not None:
            return failure
        self.derive = Deriver(self._shown(), self.query.where, self.prover, self._folded())
        conditions = self._compensation()
        if not isinstance(conditions, tuple):
            return conditions
        lefts = self._rest_lefts()
        if not isinstance(lefts, tuple):
            return lefts
        block = Block((Base(self.scan), *self._rest()), (), conditions, lefts)
        if self.view.grouping is not None and self.query.grouping is not None:
            return regroup(self, block)
        made = self._computed(block)
        return made if not isinstance(made, Block) else self.found(made)

    # -- 1. rows -----------------------------------------------------------------------------------------------------

    def _rows(self) -> Failure | None:
        partners = [e for j in self.aligned.partners for e in j.on]
        wanted = [*self.view.where, *partners]
        answer = self.prover.implies(self.query.where, wanted)
        if isinstance(answer, Unproved):
            return Unknown(answer.why)
        if isinstance(answer, Refuted):
            lost = next((c for c in wanted if not self.prover.implies(self.query.where, [c])), conjunction(wanted))
            return NoMatch(
                "ROWS.NOT_CONTAINED",
                f"the view keeps only rows with {self.told(lost)}; the query also wants others",
                hint=f"leave {self.told(lost)} out of the view, or add it to the query",
                values=answer.values,
                assumed=tuple(self.told(c) for c in self.prover.not_modelled(self.query.where, lost)),
            )
        if wanted:
            mine = " AND ".join(self.told(c) for c in self.query.where) or "TRUE"
            how = "the same conditions" if set(wanted) <= set(self.query.where) else "Z3: unsat"
            self.steps.append(Step(f"{mine}  ⇒  {' AND '.join(self.told(c) for c in wanted)}", how))
        return None

    def _one_row_per_group(self) -> Failure | None:
        """A grouped view has the rows of a query without grouping only where each of its groups is one row."""
        if self.view.grouping is None or self.query.grouping is not None:
            return None
        grouping = self.original.grouping
        assert grouping is not None
        keys = {e.id for _, e in grouping.keys if isinstance(e, Column)}
        if grouping.keys and is_key(keys, self.original, self.context.facts):
            if grouping.having:
                return NoMatch("GROUPING.HAVING", "the view's HAVING takes rows away that the query wants")
            self.steps.append(Step("each group of the view is one row", "key"))
            return None
        what = "DISTINCT" if grouping.is_distinct else "GROUP BY"
        return NoMatch(
            "GROUPING.MISSING_ROWS",
            f"the view has one row per group ({what}), the query wants every row",
            hint=f"leave {what} out of the view, or let it keep a key",
        )

    # -- 2. compensation ---------------------------------------------------------------------------------------------

    def _compensation(self) -> tuple[Expr, ...] | Failure:
        conditions: list[Expr] = []
        given = [*self.view.where, *(e for j in self.aligned.partners for e in j.on)]
        for partner in self.aligned.partners:
            marker = self._partner_found(partner)
            if marker is None:
                return NoMatch(
                    "JOIN.KIND",
                    "the view has a LEFT JOIN where the query has an inner one, and shows no column that tells rows "
                    "with a partner from rows without",
                    hint="add a NOT NULL column of the right side to the view",
                )
            conditions.append(marker)
        for part in self.query.where:
            if part in given or self.prover.implies(given, [part]):
                continue
            # What the condition itself makes equal must not stand for it: the view's conditions alone are used first.
            made = Deriver(self.derive.shown, given, self.prover, self.derive.folded)(part) or self.take(
                part, "the condition"
            )
            if isinstance(made, NoMatch | Unknown):
                return made
            conditions.append(made)
        return tuple(conditions)

    def _partner_found(self, partner: LeftJoin) -> Expr | None:
        own = set(partner.source.columns)
        for column, expr in self.derive.shown:
            if isinstance(expr, Column) and expr in own and self.prover.never_null(partner.on, expr):
                null = Call("IS NULL", ("(", " IS NULL)"), (column,), "BOOLEAN")
                return Call("NOT", ("(NOT ", ")"), (null,), "BOOLEAN")
        return None

    def _rest_lefts(self) -> tuple[LeftJoin, ...] | Failure:
        made: list[LeftJoin] = []
        for number, left in enumerate(self.query.lefts):
            if number in self.aligned.mapped_lefts:
                continue
            on: list[Expr] = []
            for part in left.on:
                found = self.take(part, "the join condition")
                if isinstance(found, NoMatch | Unknown):
                    return found
                on.append(found)
            made.append(LeftJoin(left.source, tuple(on)))
        return tuple(made)

    # -- 3. outputs --------------------------------------------------------------------------------------------------

    def _computed(self, block: Block) -> Block | Failure:
        """The query's own projection or grouping over the view's rows."""
        grouping = self.query.grouping
        if grouping is None:
            outputs: list[Item] = []
            for column, expr in self.query.outputs:
                made = self.take(expr, "the output")
                if isinstance(made, NoMatch | Unknown):
                    return made
                outputs.append((column, made))
            return replace(block, outputs=tuple(outputs))
        keys: list[Item] = []
        for column, expr in grouping.keys:
            made = self.take(expr, "grouping by")
            if isinstance(made, NoMatch | Unknown):
                return made
            keys.append((column, made))
        calls = []
        for column, call in grouping.calls:
            argument = call.argument
            if argument is not None:
                taken = self.take(argument, f"the argument of {call.function.upper()}")
                if isinstance(taken, NoMatch | Unknown):
                    return taken
                argument = taken
            calls.append((column, replace(call, argument=argument)))
        return replace(block, grouping=Grouping(tuple(keys), tuple(calls), grouping.having), outputs=self.query.outputs)

    # -- the proof ---------------------------------------------------------------------------------------------------

    def found(self, block: Block, exact: bool = True) -> Found | Failure:
        """``block``, when everything that it was made of is proved equal to what it stands for."""
        meaning = {c.id: e for c, e in self.derive.shown}
        given = [*self.view.where, *(e for j in self.aligned.partners for e in j.on)]
        markers = len(self.aligned.partners)
        conditions = [substitute_columns(c, meaning) for c in block.where[markers:]]
        answer = self.prover.implies([*given, *conditions], self.query.where)
        if isinstance(answer, Refuted):
            lost = next(p for p in self.query.where if not self.prover.implies([*given, *conditions], [p]))
            kept = {e.id for _, e in self.derive.shown if isinstance(e, Column)}
            names = " and ".join(f"`{c.name}`" for c in columns_of(lost) if c.id not in kept) or self.told(lost)
            return NoMatch(
                "COLUMN.MISSING",
                f"the condition {self.told(lost)} needs {names}, which the view does not keep",
                hint=f"add column {names} to the view",
            )
        if answer:
            answer = self.prover.implies(self.query.where, conditions)
        if answer:
            answer = self.prover.equal(
                self.query.where, [(a, substitute_columns(b, meaning)) for a, b in self.pairs]
            )  # fmt: skip
        if not answer:
            why = answer.why if isinstance(answer, Unproved) else "the rewrite could not be proved equal"
            return Unknown(why)
        if block.where:
            rest = " AND ".join(self.told(c) for c in block.where)
            self.steps.append(Step(f"the view's rows with {rest} are the query's", "Z3: unsat both ways"))
        on = tuple(e for _, parts in self.back for e in parts)
        missing = tuple(b for b, _ in self.back if b not in block.sources)
        block = replace(block, sources=(*block.sources, *missing), where=(*block.where, *on))
        # A group that is one row shows 0.0 for -0.0.
        exact = exact and (self.query.grouping is not None or not self.derive.folded)
        return Found(block, (*self.aligned.steps, *self.steps), exact)
