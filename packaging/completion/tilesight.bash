# Completion of tilesight in bash: the program writes it, so that it always fits the installed version.
eval -- "$(tilesight completion bash 2>/dev/null)"
