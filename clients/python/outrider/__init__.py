"""
The Outrider API from Python: a method for each operation, typed by the API's own document, and what every
client needs around it: retries that repeat nothing, pages, refusals, webhook signatures. Records are
dictionaries; their types are in ``outrider.types``.
"""

from .client import Outrider, OutriderError, OutriderUnreachable, etag_of
from .operations import __version__
from .webhook import WebhookError, verify_webhook

__all__ = [
    "Outrider",
    "OutriderError",
    "OutriderUnreachable",
    "WebhookError",
    "__version__",
    "etag_of",
    "verify_webhook",
]
