"""Parts of one profile that can be compared like two profiles: blocks, cores, IPUs, stretches of time, iterations.

A part is a profile that has only what belongs to it. Names and numbers that tell the parts of one kind apart are the
same in all of them ("this block", tile 0 for the first tile of an IPU), so that rows of two parts are matched by the
same rules as those of two files. What the file has only of the whole is left out: it is no figure of the part.
"""
