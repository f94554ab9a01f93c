"""Signatures of webhooks, by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .types import Event

AGE_SECONDS_MAX = 300
"""Of the oldest webhook that is believed."""


class WebhookError(Exception):
    """A webhook's request that is not to be believed."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    now: float | None = None,
) -> Event:
    """
    The event of a webhook's request.

    :param body: As it came, not read and written again.
    :param headers: Whatever the case of their names.
    :param secret: ``whsec_…``; two while one takes the place of the other.
    :param now: Seconds since 1970, if not the present.
    :raises WebhookError: where it was not signed with a secret within the last five minutes.
    """
    given = {name.lower(): value for name, value in headers.items()}
    sent_at = given.get("webhook-timestamp", "")
    at = time.time() if now is None else now
    if not (sent_at.isascii() and sent_at.isdecimal()) or abs(at - int(sent_at)) > AGE_SECONDS_MAX:
        raise WebhookError("the webhook is too old, or from the future")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{given.get('webhook-id', '')}.{sent_at}.".encode() + raw
    signatures = given.get("webhook-signature", "").encode().split()
    for one in [secret] if isinstance(secret, str) else secret:
        mac = hmac.new(_key(one), signed, hashlib.sha256).digest()
        right = b"v1," + base64.b64encode(mac)
        if any(hmac.compare_digest(right, signature) for signature in signatures):
            return cast("Event", json.loads(raw))
    raise WebhookError("the webhook is not signed with this secret")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("a secret is whsec_ and standard base64")
    return key
