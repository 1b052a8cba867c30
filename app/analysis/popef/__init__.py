"""What PopEF models mean: sizes of tensors, groups of anchors, who belongs to whom."""
