"""Where small ends."""

# Up to this many rows a slice, a state or a result is handled as Arrow in this process.
SMALL_ROWS = 20_000
