"""The anchors of PopEF models: their inputs and outputs, and who provides the data."""
