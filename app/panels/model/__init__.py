"""How a PopEF model runs: metadata, program flow, programs and options."""
