"""Whole Ascend captures: folders of torch_npu, MindSpore, msprof and clusters."""
