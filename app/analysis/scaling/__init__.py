"""How throughput depends on the number of replicas: the model of data-parallel training on IPUs, as pure functions.

Follows the guide to scaling over replicas; times are in seconds, sizes in bytes, rates in bytes per second. What the
guide does not print but follows from it is marked "derived". An impossible number raises a ValueError that names it.
"""
