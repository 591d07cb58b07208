"""SHA-256 without `hashlib`, whose OpenSSL costs a tenth of Python's own start (DESIGN §4, weight).

It is the same function: the C one that `hashlib` falls back to itself. What is long is worth that import.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

__all__ = ["digest", "hex_digest", "sha256"]

_LONG = 256 * 1024


def digest(content: bytes) -> bytes:
    """SHA-256; of what is long by OpenSSL, which is several times as fast."""
    if len(content) > _LONG:
        from hashlib import sha256 as openssl

        return openssl(content).digest()
    return sha256(content).digest()


def hex_digest(content: bytes) -> str:
    return digest(content).hex()
