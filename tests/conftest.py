"""Settings shared by all tests."""

from hypothesis import settings

# No deadline: on a shared machine it measures the neighbours, not the code.
settings.register_profile("linnet", deadline=None)
settings.load_profile("linnet")
