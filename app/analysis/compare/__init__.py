"""Comparison of two profiles: which rows belong together, what differs, and what explains the difference.

``comparison.Comparison`` is the way in. What identifies the rows of a table is its plan (``plans``); ``matching``
matches rows by ``rules``, with ``codes`` for equal cells and ``alignment`` for sequences. ``tables`` subtracts tables,
``as_table`` shows them, ``trees`` does both for trees. ``ranking``, ``changes`` and ``noise`` explain what differs;
``overview`` makes tables of that. The rest are comparisons of single panels.
"""
