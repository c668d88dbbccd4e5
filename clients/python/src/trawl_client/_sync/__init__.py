"""The client that blocks. Generated from `_async`, except `transport.py`."""
