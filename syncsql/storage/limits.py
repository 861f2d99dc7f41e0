"""Where small ends. It is read as ``limits.SMALL_ROWS`` when it is needed, so that tests can move it."""

# Up to this many rows a slice, a state or a result is handled as Arrow in this process.
SMALL_ROWS = 20_000
