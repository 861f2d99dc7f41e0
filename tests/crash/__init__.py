"""A client that works through a script on a database and dies on the way."""
