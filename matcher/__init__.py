"""The matcher: is a query's answer in a view that already runs, how is it had from there, and why not?

It implements section 5 of the paper. A match goes through the modules in this order:

1. :mod:`~matcher.workspace` binds the query and the views; :mod:`~matcher.normal` brings both into the normal form of
   :mod:`~matcher.block`, with views inlined and synchronization left at the leaves, and :mod:`~matcher.simplify` makes
   left joins inner, or anti joins, where they are (:mod:`~matcher.anti`);
2. :mod:`~matcher.index` sifts the views by tables, time, ranges, columns and grouping;
3. :mod:`~matcher.rewrite` takes the query and then its parts; for each, :mod:`~matcher.align` says which relation of
   the view is which of the query's, and :mod:`~matcher.left_joins` which left join; :mod:`~matcher.contain` tests
   containment of rows and derives conditions and outputs (:mod:`~matcher.derive`, :mod:`~matcher.linear`), and
   :mod:`~matcher.regroup` makes groups of groups (:mod:`~matcher.rollup`); :mod:`~matcher.nested` does it all for
   queries inside queries;
4. :mod:`~matcher.prover` asks Z3 about the terms of :mod:`~matcher.terms`: nothing is used that was not proved;
5. :mod:`~matcher.time` proves that the view is up to date whenever the query is due;
6. :mod:`~matcher.decide` chooses by :mod:`~matcher.cost`; the :mod:`~matcher.decision` is a value that tells all, and
   :mod:`~matcher.sqltext` and :mod:`~matcher.plan` give the rewrite as SQL and as a plan.

Where the answer is no, :mod:`~matcher.witness` looks for two small databases that the view cannot tell apart and the
query can, and checks them with the dumb evaluator of :mod:`~matcher.evaluate`, which shares nothing with the above.

For a set of queries known in advance, :mod:`~matcher.advise` makes views that cover several of them, and lets the
matcher prove and price what they answer; the :mod:`~matcher.advice` is a value as well.
"""
