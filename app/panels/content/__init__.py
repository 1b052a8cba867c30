"""The content of the file behind the selection: values of tensors, bytes of everything else."""
