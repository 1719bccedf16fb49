"""The front-end on a whole terminal."""
