"""Texts of the actions on the ledger."""

from __future__ import annotations

from relay_tui.base.canonical import encode
from relay_tui.base.text import clip, counted, inert
from relay_tui.base.times import local_date
from relay_tui.cli.texts.layout import columns, more_follow, of_any_moment
from relay_tui.room.ledger import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.archives import Archived, Attached
    from relay_tui.room.journal import EventPage, Heads, Verified
    from relay_tui.room.rebuild import Rebuilt

_SHOWN = 160  # characters of an event's data


@of_any_moment
def log(found: EventPage | Event, now: int) -> Iterator[str]:
    """A page, or one event of a stream that is followed."""
    if isinstance(found, Event):
        yield "  ".join(map(inert, _row(found)))
        return
    yield from columns([_row(event) for event in found.events])
    yield from more_follow(found.next)


def head(found: Heads, now: int) -> Iterator[str]:
    yield from columns([[one.room, f"{one.number}:{one.hash}"] for one in found.heads])


def verify(found: Verified, now: int) -> Iterator[str]:
    if found.first_bad:
        yield f"Broken: event {found.first_bad.number} of room {inert(found.first_bad.room)} does not hold."
        yield "Nothing was changed. Compare with a backup."
        return
    yield f"{counted(found.events, 'event')} in {counted(found.rooms, 'room')}: every hash holds."
    if found.archive:
        yield f"The events before them are in {inert(found.archive)}; prove them too with --archive FILE."


def archive(done: Archived, now: int) -> Iterator[str]:
    if not done.events or done.cut_at is None:
        yield "Nothing is that old; nothing was archived."
        return
    one = done.events == 1
    where = f"{'is' if one else 'are'} in {inert(done.file)}" if done.file else "would be taken out"
    yield f"{counted(done.events, 'event')} until {local_date(done.cut_at)} {where}."
    kept = counted(done.messages_kept, "message of them stays", "messages of them stay")
    yield f"{kept} in the ledger as well, to be read on, and so does the last event of each room."
    yield "The chains go on from here; keep the hashes with the archive:"
    yield from columns([[one.room, f"{one.number}:{one.hash}"] for one in done.rooms], "  ")


def attach(done: Attached, now: int) -> Iterator[str]:
    back = counted(done.events, "event is", "events are")
    yield f"{back} back in the ledger, beside what had stayed there of {inert(done.file)}; that file stays."


def rebuild(found: Rebuilt, now: int) -> Iterator[str]:
    yield from columns(
        [
            [name, counted(check.rows, "row"), "equal" if check.equal else "DIFFERENT"]
            for name, check in found.tables.items()
        ]
    )
    said = "every table is what the ledger says" if found.equal else "the tables are not what the ledger says"
    yield f"{counted(found.events, 'event')} folded: {said}."


def _row(event: Event) -> list[str]:
    return [
        str(event.number), local_date(event.at), event.actor, event.via, event.kind,
        clip(encode(event.data), _SHOWN),
    ]  # fmt: skip
