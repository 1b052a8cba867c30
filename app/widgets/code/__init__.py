"""Source code in tables: coloured little by little, while the window goes on."""
