"""The client for asyncio. `_sync` is generated from it."""
