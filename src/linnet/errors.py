"""The exceptions of linnet: each names the argument, its value, the reason and the remedy."""

from __future__ import annotations


class LinnetError(Exception):
    """Base of everything that linnet raises on purpose."""


class ArgumentError(LinnetError, ValueError):
    """An argument that cannot be meant: what it is, why it is refused, what to do.

    Parameters
    ----------
    argument : str
        Name of the argument, as the caller wrote it.
    value : object
        The value that was given; long values are shortened.
    reason : str
        Why it is refused.
    remedy : str
        What to do instead.
    """

    def __init__(self, argument: str, value: object, reason: str, remedy: str) -> None:
        self.argument, self.value, self.reason, self.remedy = argument, value, reason, remedy
        super().__init__(f"{argument} = {shorten(value)}: {reason}. {remedy}.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.argument, self.value, self.reason, self.remedy)


class AlgebraError(ArgumentError):
    """An expression that is neither a linear operator nor a bilinear form, such as ``u * u``."""


class SmoothnessError(ArgumentError):
    """A derivative that the activation or a coefficient does not have."""


class FileFormatError(ArgumentError):
    """A file that is damaged, foreign, or of a newer format."""


class UnresolvedError(LinnetError):
    """A system that the solver cannot resolve; the message lists causes and remedies."""


class LinnetWarning(UserWarning):
    """A result that was computed but that its user should look at before trusting."""


def shorten(value: object, width: int = 80) -> str:
    """``repr(value)`` on one line, cut in the middle where it is longer than `width`."""
    text = " ".join(repr(value).split())
    return text if len(text) <= width else f"{text[: width // 2]} … {text[-width // 2 :]}"
