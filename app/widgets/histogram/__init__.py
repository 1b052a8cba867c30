"""How many things have how much: bars over bins, clicked to choose the things."""
