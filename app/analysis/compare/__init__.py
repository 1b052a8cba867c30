"""Comparison of two profiles: which rows belong together, what differs, and what explains the difference.

``comparison.Comparison`` is the way in. It matches the rows of two tables (``matching``) by rules of one module each
(``rules`` lists them), and makes their differences (``compared``), the differences of the main figures (``figures``)
and the list of what explains them (``ranking``).
"""
