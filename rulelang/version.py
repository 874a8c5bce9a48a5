"""The version, in a room of its own so that all others may know it."""

VERSION = "0.1.0"
