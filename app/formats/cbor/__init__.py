"""Untrusted CBOR (RFC 8949): walked header by header, decoded in parts of bounded size."""
