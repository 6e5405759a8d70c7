"""The command ``linnet``."""

from linnet.cli.app import app

__all__ = ["app"]
