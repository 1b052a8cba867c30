"""The main figures of a profile as a page: the verdict first, then group by group."""
