"""A dumb evaluation of the definition of an answer, to test the engine against."""
