"""The export: one JSON document a line, that can be read anywhere, and restored to the very same ledger.

    {"format":"relay-export","version":1,"whole":true,"at":"…","rooms":[{"room","id","number","hash"}]}
    {"hash":"…","event":{…}}                  each event, byte for byte as it is hashed, in the order of seq
    {"attachment":"<SHA-256>","data":"…"}     each file sent along, once, in base64
    {"end":{"events":2,"attachments":1,"sha256":"…"}}     of every byte before this line

Only the format lives here: what is read comes from a database, and where it goes is the caller's.
"""

from __future__ import annotations

import binascii
import hashlib

from relay_tui.base.canonical import decode, encode
from relay_tui.base.digest import hex_digest
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip
from relay_tui.room.attachments import FILE_BYTES
from relay_tui.room.incoming import MADE_UP, ChainedRoom, IncomingChains, IncomingEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO, NamedTuple, TypeAlias

    Item: TypeAlias = "IncomingEvent | KeptFile"
else:
    from relay_tui.base.record import NamedTuple

FORMAT, VERSION = "relay-export", 1
BEGINNING = b'{"format":"relay-export",'
# An attachment has 34 MB in base64, and an event less; nothing that is longer is read to its end.
LINE_BYTES = 64 * 1024 * 1024
_EVENT = b'{"hash":"%s","event":%s}\n'
_HASH_AT, _PAYLOAD_AT = len(b'{"hash":"'), len(_EVENT % (b"0" * 64, b"")) - 2
_FILE = b'{"attachment":"%s","data":"%s"}\n'


class KeptFile(NamedTuple):
    """A file sent along, whose bytes are what its SHA-256 says."""

    sha256: str
    content: bytes


def checked_file(sha256: str, content: bytes) -> KeptFile:
    """Raises `ValueError` for bytes that are others, or more than a file sent along may have."""
    if len(content) > FILE_BYTES or hex_digest(content) != sha256:
        raise ValueError("an attachment is not what its SHA-256 says")
    return KeptFile(sha256, content)


class Header(NamedTuple):
    """`whole` is whether these are all the rooms of the home that it came from."""

    whole: bool
    rooms: list[ChainedRoom]


def write_lines(
    header: Header, at: str, events: Iterable[tuple[bytes, bytes]], files: Iterable[KeptFile]
) -> Iterator[bytes]:
    """The lines of an export, each event checked on its way: (payload, hash) in, bytes out.

    Raises `corrupt` where an event does not hold and `too_large` for one that no reader would take.
    """
    digest, chains, kept = hashlib.sha256(), IncomingChains(), 0
    for line in _lines(header, at, _checked(events, chains)):
        digest.update(line)
        yield line
    for file in files:
        line = _FILE % (file.sha256.encode(), binascii.b2a_base64(file.content, newline=False))
        digest.update(line)
        yield line
        kept += 1
    yield _end(chains.events, kept, digest.hexdigest())


def _lines(header: Header, at: str, events: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    rooms = [room._asdict() for room in header.rooms]
    said = {"format": FORMAT, "version": VERSION, "whole": header.whole, "at": at, "rooms": rooms}
    yield encode(said).encode() + b"\n"
    for payload, digest in events:
        yield _EVENT % (digest.hex().encode(), payload)


def _checked(events: Iterable[tuple[bytes, bytes]], chains: IncomingChains) -> Iterator[tuple[bytes, bytes]]:
    for payload, digest in events:
        try:
            event = chains.follow(payload, digest)
            if b"\n" in payload:
                raise ValueError(f"event {event.number} of {event.room} is not one line")
        except ValueError as fault:
            raise RelayError("corrupt", f"The ledger does not hold: {fault}.", "Run: relay log verify") from fault
        if len(payload) > LINE_BYTES - 100:
            raise RelayError("too_large", f"Event {event.number} has more than 64 MiB.", "Run: relay backup FILE")
        yield payload, digest


def _end(events: int, files: int, digest: str) -> bytes:
    return encode({"end": {"events": events, "attachments": files, "sha256": digest}}).encode() + b"\n"


class Reader:
    """An export from its beginning to its end; what it hands out holds, and at the end the whole does.

    Raises `invalid` where it is no export, `newer_schema` for a later format, `corrupt` with the line that is
    damaged.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self._line = 0
        self._digest = hashlib.sha256()
        self.chains = IncomingChains()
        self.files = 0
        self._header = _read_header(self._next(), name)
        self.whole = self._header.whole

    def items(self) -> Iterator[Item]:
        while True:
            line = self._next()
            try:
                if line.startswith(b'{"end":'):
                    self._finish(line)
                    return
                item = self._item(line)
            except ValueError as fault:
                raise self._damaged(str(fault)) from fault
            self._digest.update(line)
            yield item

    def _next(self) -> bytes:
        try:
            line = self._file.readline(LINE_BYTES + 1)
        except OSError as fault:
            raise unreadable(self._name, fault.strerror) from fault
        self._line += 1
        if self._line == 1:
            self._digest.update(line)
        if len(line) > LINE_BYTES:
            raise self._damaged("the line is longer than any")
        if self._line > 1 and not line.endswith(b"\n"):
            raise self._damaged("it is cut off")
        return line

    def _item(self, line: bytes) -> Item:
        if line.startswith(b'{"hash":"'):
            payload = line[_PAYLOAD_AT:-2]
            digest = _unhex(line[_HASH_AT : _HASH_AT + 64])
            if line != _EVENT % (digest.hex().encode(), payload):
                raise ValueError("an event stands otherwise")
            if self.files:
                raise ValueError("an event comes after the attachments")
            return self.chains.follow(payload, digest)
        return self._kept_file(line)

    def _kept_file(self, line: bytes) -> KeptFile:
        found = _object(line)
        sha256, data = found.get("attachment"), found.get("data")
        if not isinstance(sha256, str) or not isinstance(data, str):
            raise ValueError("it is neither an event nor an attachment")
        content = binascii.a2b_base64(data.encode("ascii"), strict_mode=True)
        self.files += 1
        return checked_file(sha256, content)

    def _finish(self, line: bytes) -> None:
        if line != _end(self.chains.events, self.files, self._digest.hexdigest()):
            raise ValueError("the last line does not fit what came before")
        if self._file.read(1):
            raise ValueError("something follows the last line")
        if sorted(self.chains.rooms) != sorted(self._header.rooms):
            raise ValueError("the rooms are not those of the first line")

    def _damaged(self, why: str) -> RelayError:
        return RelayError(
            "corrupt",
            f"{self._name} is damaged in line {self._line}: {clip(why, 200)}.",
            "Nothing was restored. Use another copy.",
        )


def unreadable(name: str, why: str | None) -> RelayError:
    return RelayError("no_file", f"{name} cannot be read ({why}).", "Check the path, or use another copy.")


def _read_header(line: bytes, name: str) -> Header:
    """Raises `invalid` and `newer_schema`."""
    try:
        found = _object(line) if line.endswith(b"\n") else {}
    except ValueError:
        found = {}
    version = found.get("version")
    if found.get("format") == FORMAT and type(version) is int and version > VERSION:
        raise RelayError(
            "newer_schema", f"{name} was exported by a newer relay (format {version}).", "Upgrade relay-tui."
        )
    try:
        if found.get("format") != FORMAT or type(version) is not int or version != VERSION:
            raise ValueError("another format")
        return Header(found["whole"] is True, [_room(one) for one in found["rooms"]])
    except MADE_UP:
        hint = "Give a file that relay export or relay backup wrote."
        raise RelayError("invalid", f"{name} is neither an export nor a backup of relay's.", hint) from None


def _room(said: dict[str, Any]) -> ChainedRoom:
    room = ChainedRoom(**said)
    if [type(value) for value in room] != [str, str, int, str]:
        raise ValueError("not a room")
    return room


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = decode(line.decode("utf-8"))
    except MADE_UP as fault:
        raise ValueError("it is not JSON") from fault
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    return found


def _unhex(text: bytes) -> bytes:
    try:
        return bytes.fromhex(text.decode("ascii"))
    except ValueError as fault:
        raise ValueError("a hash is no hash") from fault
