"""JSON from strangers: cut, decoded and repaired in pieces of bounded size."""
