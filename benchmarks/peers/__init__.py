"""One small file for each package of ``benchmarks/peers.py``, and what they share.

Each adapter has a function ``solve(statement, **options)`` that states a problem of linnet's
catalogue in its package's own way, solves it and returns an :class:`~peers.statement.Answer`.
"""
