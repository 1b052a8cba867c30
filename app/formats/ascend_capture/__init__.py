"""Whole Ascend captures: folders of torch_npu, MindSpore, msprof and clusters. Readers are imported when a file is read."""
