"""Why Spark does not accept a query, in the words and at the place of its user.

Spark sees the plan of the engine, whose columns have names of their own. So where it refuses, the query is bound
again and each expression is put to Spark by itself, from the scans upwards, over an empty relation with the user's
names; within the first one that is refused the smallest part that is refused is found, and where that was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    CalendarIntervalType,
    DataType,
    DayTimeIntervalType,
    LongType,
    MapType,
    NullType,
    StructField,
    StructType,
    TimeType,
    VariantType,
    YearMonthIntervalType,
)

from syncsql.algebra.binder import Bound
from syncsql.algebra.expressions import (
    AggregateCall,
    Call,
    Column,
    Expr,
    Literal,
    Now,
    columns_in,
    conjuncts,
    has_now,
    show,
    sql,
    walk,
)
from syncsql.algebra.relations import Aggregate, Distinct, Filter, Join, Node, Project, Scan, SetOperation
from syncsql.errors import BindError, Span, SyncSQLError, UnsupportedError, did_you_mean
from syncsql.language import Query
from syncsql.storage.feed import Feed
from syncsql.storage.scratch import Scratch

_NOT_STORED = (
    CalendarIntervalType, DayTimeIntervalType, NullType, TimeType, VariantType, YearMonthIntervalType,
)  # fmt: skip
_NOT_COMPARED = (MapType, VariantType)
_ADVICE = re.compile(r"\s*(?:If necessary set .*|SQLSTATE: \w+(?:; line \d+ pos \d+;?)?)$", re.DOTALL)


def spark_message(error: PySparkException) -> str:
    """What Spark says first, without its codes and without advice to change the session."""
    said = str(error.getMessage() if hasattr(error, "getMessage") else error).split("\n")[0]
    return _ADVICE.sub("", re.sub(r"^\[[\w.]+\] ", "", said)).rstrip(".")


def said(error: Exception) -> str:
    """What an error of any kind says, on one line."""
    if isinstance(error, SyncSQLError):
        return error.message
    if isinstance(error, PySparkException):
        return spark_message(error)
    # What Java threw says it in its own words.
    text = str(getattr(error, "java_exception", error)).split("\n")[0]
    return f"{type(error).__name__}: {text}"


class Diagnosis:
    """Of one query, bound as ``bound``."""

    def __init__(self, query: Query, bound: Bound, feeds: Mapping[str, Feed], scratch: Scratch) -> None:
        self._query, self._bound, self._feeds, self._scratch = query, bound, feeds, scratch
        self._types: dict[str, DataType] = {}
        self._names: dict[str, str] = {}

    def of(self, error: AnalysisException | UnsupportedError) -> SyncSQLError:
        """The error to show for what compiling the query has raised."""
        if isinstance(error, UnsupportedError):
            return error.at(self._query.text, self._place(error.about))
        try:
            self._check(self._bound.plan)
            self._comparable(self._bound.plan)
        except SyncSQLError as found:
            return found
        return BindError("BIND.SPARK", spark_message(error)).at(self._query.text, self._query.span)

    def not_storable(self, row: StructType) -> SyncSQLError:
        """The error for ``row``, which Spark makes of the query and a Delta table cannot hold."""
        names = {f.name: c for f, c in zip(row.fields, self._bound.columns, strict=False)}
        field = next(f for f in row.fields if not is_storable(StructType([f])))
        column = names[field.name]
        return BindError(
            "VIEW.COLUMN_TYPE",
            f"column `{column.name}` is {field.dataType.simpleString().upper()}, which a Delta table cannot hold",
            hint=f"cast it, for example CAST({_called(column, self._bound)} AS STRING) AS {column.name}",
        ).at(self._query.text, self._output(column))

    # Where

    def _output(self, column: Column) -> Span | None:
        plan = self._bound.plan
        by = dict(zip(plan.columns, plan.expressions, strict=True)) if isinstance(plan, Project) else {}
        return self._place(by.get(column, column)) or self._query.span

    def _place(self, about: object) -> Span | None:
        """Where ``about`` was written, or the nearest thing to it that is known."""
        nodes: list[object] = [about]
        if isinstance(about, Join):
            nodes += [j for j in self._bound.places if isinstance(j, Join) and j.kind == about.kind]
        elif isinstance(about, Column | Call | Now | Literal):
            around = [e for e in self._bound.places if isinstance(e, Call) and about in walk(e)]
            nodes += sorted(around, key=_length)
            nodes += [e for e in walk(about) if isinstance(e, Call | Now)]
            nodes += [e for e in self._bound.places if isinstance(e, Now)] if has_now(about) else []
        for node in nodes:
            written = self._bound.places.get(node)
            span = self._query.span_of(written) if written is not None else None
            if span is not None:
                return span
        return self._query.span

    # Why

    def _check(self, node: Node) -> None:
        for below in node.inputs:
            self._check(below)
        if isinstance(node, Scan):
            self._scan(node)
        elif isinstance(node, Project):
            for column, expression in zip(node.columns, node.expressions, strict=True):
                self._learn(column, self._scalar(expression))
        elif isinstance(node, Filter):
            self._predicate(node.predicate)
        elif isinstance(node, Join):
            self._predicate(node.condition)
        elif isinstance(node, Aggregate):
            for column, call in zip(node.outputs, node.calls, strict=True):
                self._learn(column, self._aggregate(column, call))
        elif isinstance(node, SetOperation):
            self._set_operation(node)

    def _scan(self, node: Scan) -> None:
        feed = self._feeds.get(node.name.lower())
        for column, field in zip(node.outputs, feed.row.fields if feed is not None else (), strict=False):
            self._learn(column, field.dataType)
        for column in node.columns:
            if column.id not in self._types:
                self._learn(column, LongType())

    def _learn(self, column: Column, type_: DataType) -> None:
        self._types[column.id], self._names[column.id] = type_, column.name

    def _relation(self, *expressions: Expr) -> tuple[DataFrame, dict[str, str]]:
        """An empty relation with the columns that the expressions read, and how each of them is called in it."""
        labels: dict[str, str] = {}
        for id_ in sorted({i for e in expressions for i in columns_in(e)}, key=lambda i: int(i[1:])):
            label, n = self._names[id_], 1
            while label.lower() in {"now", *(other.lower() for other in labels.values())}:
                n += 1
                label = f"{self._names[id_]}_{n}"
            labels[id_] = label
        fields = [StructField(label, self._types[i]) for i, label in labels.items()]
        return self._scratch.local([], StructType([*fields, StructField("Now", LongType())])), labels

    def _text(self, expr: Expr, labels: Mapping[str, str]) -> str:
        if isinstance(expr, Now):
            return "Now"
        if isinstance(expr, Call):
            texts = [self._text(a, labels) for a in expr.args]
            return "".join(x for pair in zip(expr.pieces, [*texts, ""], strict=True) for x in pair)
        return sql(expr, lambda c: "`" + labels[c.id].replace("`", "``") + "`")

    def _scalar(self, expr: Expr) -> DataType:
        frame, labels = self._relation(expr)
        try:
            # With a column beside it an aggregate is not taken for a query of its own.
            return frame.select("Now", F.expr(self._text(expr, labels)).alias("_")).schema["_"].dataType
        except AnalysisException as error:
            for part in expr.args if isinstance(expr, Call) else ():
                self._scalar(part)
            raise self._refused(error, expr) from None

    def _predicate(self, predicate: Expr) -> None:
        for part in conjuncts(predicate):
            self._scalar(part)
            frame, labels = self._relation(part)
            try:
                _ = frame.filter(self._text(part, labels)).schema
            except AnalysisException as error:
                raise self._refused(error, part) from None

    def _aggregate(self, column: Column, call: AggregateCall) -> DataType:
        if call.argument is None:
            return LongType()
        self._scalar(call.argument)
        frame, labels = self._relation(call.argument)
        try:
            text = f"{call.function}({self._text(call.argument, labels)})"
            return frame.groupBy().agg(F.expr(text).alias("_")).schema["_"].dataType
        except AnalysisException as error:
            raise self._refused(error, column) from None

    def _set_operation(self, node: SetOperation) -> None:
        word = node.kind.upper()
        for n, (column, left, right) in enumerate(
            zip(node.columns, node.left.columns, node.right.columns, strict=True), 1
        ):
            sides = [self._relation(side) for side in (left, right)]
            a, b = (frame.select(*(f"`{label}`" for label in labels.values())) for frame, labels in sides)
            try:
                self._learn(column, a.union(b).schema.fields[0].dataType)
            except AnalysisException:
                types = [self._types[c.id].simpleString().upper() for c in (left, right)]
                raise BindError(
                    "BIND.SET_COLUMNS", f"column {n} of {word} is {types[0]} on one side and {types[1]} on the other",
                    hint="cast one of them",
                ).at(self._query.text, self._query.span) from None  # fmt: skip

    def _comparable(self, node: Node) -> None:
        """To know what changed, rows are compared; Spark does not compare maps."""
        for below in node.inputs:
            self._comparable(below)
        if isinstance(node, Project | Distinct | SetOperation):
            for column in node.columns:
                if any(isinstance(t, _NOT_COMPARED) for t in _parts(self._types[column.id])):
                    type_ = self._types[column.id].simpleString().upper()
                    raise BindError(
                        "VIEW.COLUMN_TYPE", f"column `{column.name}` is {type_}, which Spark cannot compare",
                        hint=f"select map_entries({column.name}) or single values of it",
                    ).at(self._query.text, self._output(column))  # fmt: skip

    def _refused(self, error: AnalysisException, about: Expr) -> SyncSQLError:
        class_ = error.getCondition() or ""
        message = spark_message(error)
        found: SyncSQLError
        if class_ == "UNRESOLVED_ROUTINE":
            name = re.search(r"routine `([^`]+)`", message)
            called = name.group(1).lower() if name else ""
            found = BindError("BIND.UNKNOWN_FUNCTION", f"there is no function `{called}`", hint=self._similar(called))
        elif class_ in ("MISSING_GROUP_BY", "MISSING_AGGREGATION"):
            found = UnsupportedError(
                "UNSUPPORTED.AGGREGATE", "this aggregate is not supported", hint="supported: COUNT, SUM, AVG, MIN, MAX"
            )
        elif class_.startswith("UNSUPPORTED_GENERATOR"):
            found = UnsupportedError("UNSUPPORTED.EXPRESSION", "row-generating functions are not supported")
        else:
            hint = "Now and TS are numbers of ticks" if has_now(about) or re.search(r"\bTS\b", message) else None
            found = BindError("BIND.SPARK", message, hint=hint)
        return found.at(self._query.text, self._place(about))

    def _similar(self, name: str) -> str | None:
        known = [row[0] for row in self._scratch.sql("SHOW FUNCTIONS").collect()]
        hint = did_you_mean(name, known)
        return hint if hint is not None and hint.startswith("did") else None


def is_storable(row: StructType) -> bool:
    """Whether a Delta table can have these columns."""
    return not any(isinstance(part, _NOT_STORED) for part in _parts(row))


def _called(column: Column, bound: Bound) -> str:
    """The text of a selected column, short enough for a hint."""
    plan = bound.plan
    by = dict(zip(plan.columns, plan.expressions, strict=True)) if isinstance(plan, Project) else {}
    text = show(by.get(column, column))
    return text if len(text) <= 40 else "…"


def _length(expr: object) -> int:
    return len(sql(expr)) if isinstance(expr, Call) else 0


def _parts(type_: DataType) -> list[DataType]:
    """The type and all types inside it."""
    inner = [f.dataType for f in type_.fields] if isinstance(type_, StructType) else []
    inner += [t for name in ("elementType", "keyType", "valueType") if (t := getattr(type_, name, None)) is not None]
    return [type_, *(p for i in inner for p in _parts(i))]
