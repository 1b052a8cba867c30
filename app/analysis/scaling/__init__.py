"""How throughput follows the number of replicas: the model of data-parallel training on IPUs, as pure functions.

After the guide to scaling over replicas; times are in seconds, sizes in bytes, rates in bytes per second. What the
guide does not print but follows from it is marked "derived". A number that cannot be is a ValueError whose text says
which one.
"""
