# Completion of tilesight in fish: the program writes it, so that it always fits the installed version.
tilesight completion fish 2>/dev/null | source
