"""The meaning of PopEF models: sizes of tensors, groups of anchors, links between them."""
