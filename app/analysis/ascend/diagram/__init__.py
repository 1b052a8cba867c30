"""The memory paths of Ascend chips as diagrams: boxes, arrows and places for their labels, in logical pixels.

Which boxes and paths a diagram has follows the vendor's (Ascend operator files, sections 3.1 and 3.2); the layout is
our own, so that every label has a place of its own.
"""
