"""The action that looks for what is wrong, and says for each finding what to do."""

from __future__ import annotations

import os

from relay_tui.actions import doctor_clients, doctor_machine
from relay_tui.base.config import Settings, read_settings
from relay_tui.base.errors import RelayError
from relay_tui.base.key_ids import KEY_IDS
from relay_tui.base.names import nearest
from relay_tui.base.text import shell_word
from relay_tui.base.times import age, local_date
from relay_tui.room import line, schema
from relay_tui.room.adrift import rooms_adrift, way_back
from relay_tui.room.archive_files import archive_path, spare_archives
from relay_tui.room.attachments import FOLDER, named_files, read_kept
from relay_tui.room.chains import verify
from relay_tui.room.cuts import cut_seq, read_cut
from relay_tui.room.faults import os_error
from relay_tui.room.ledger import next_seq
from relay_tui.room.lock import WriterLock
from relay_tui.room.mishaps import LASTS, forget_mishaps, read_mishaps
from relay_tui.room.passed import read_passed
from relay_tui.room.rebuild import check_rebuild
from relay_tui.room.rooms import list_rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NamedTuple, TypeAlias

    from relay_tui.room.rooms import Room

    Finding: TypeAlias = tuple[bool | None, str, str]  # `ok`, `text` and `hint` of a check
else:
    from relay_tui.base.record import NamedTuple

_RESTORE = "Restore them from a backup."
_PROTECTED = "Check its owner and mode; from a sandbox use relay's MCP tools."
REBUILT = 50_000  # events that are folded anew at each examination


class Check(NamedTuple):
    """`ok` is None where it could not be determined or is worth knowing without being wrong."""

    name: str
    ok: bool | None
    text: str
    hint: str


class Diagnosis(NamedTuple):
    checks: list[Check]
    ok: bool

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else 4


def doctor(room: Room, *, forget: bool = False) -> Diagnosis:
    """Check the home, the database, git and the clients. Also the disk, and which relay is on PATH.

    relay doctor
    """
    if forget and not room.store.dry_run:
        forget_mishaps(room.store.home)
    checks = [_guarded(name, check, room) for name, check in _CHECKS.items()]
    return Diagnosis(checks, all(check.ok is not False for check in checks))


def _guarded(name: str, check: Callable[[Room], Finding], room: Room) -> Check:
    """A check that meets an error reports it as its finding, so that the others still run."""
    try:
        return Check(name, *check(room))
    except RelayError as fault:
        return Check(name, False, fault.message, fault.hint)
    except OSError as fault:
        return Check(name, None, f"could not look: {fault.strerror}", "")


def _home(room: Room) -> Finding:
    home = room.store.home
    if os.path.lexists(home) and not os.path.isdir(home):
        return False, f"{home} is not a folder", "Set RELAY_HOME to a folder of yours."
    if not os.path.isdir(home):
        return None, f"{home} is not there yet", "The first write makes it: relay init"
    facts = os.stat(home)
    if facts.st_uid != os.geteuid():
        return False, f"{home} belongs to another user", "Set RELAY_HOME to a folder of yours."
    if facts.st_mode & 0o077:
        return False, f"{home} can be read by others", f"Run: chmod 700 {shell_word(home)}"
    if not os.access(home, os.W_OK | os.X_OK):
        return False, f"{home} cannot be written from here", _PROTECTED
    return True, f"{home} is yours alone", ""


def _database(room: Room) -> Finding:
    if not room.store.exists:
        return None, "no relay.db yet", "The first write makes it: relay init"
    with room.store.reading() as db:
        found = [row[0] for row in db.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        return False, f"damaged: {found[0]}", "Stop writing, keep a copy, and restore a backup."
    if not os.access(room.store.path, os.W_OK):
        return False, f"{room.store.path} cannot be written from here", _PROTECTED
    return True, f"schema {schema.VERSION}, every page is sound", ""


def _chain(room: Room) -> Finding:
    if not room.store.exists:
        return None, "no ledger yet", ""
    with room.store.reading() as db:
        verdict = verify(db)
    if verdict.first_bad:
        room_id, number = verdict.first_bad
        return False, f"event {number} of {room_id} does not hold", "Run: relay log verify"
    return True, f"{verdict.events:,} events, every hash holds", ""


def _archives(room: Room) -> Finding:
    """Whether the archives lie where they were written, as what looks back behind the cut needs them, and no others."""
    if not room.store.exists:
        return None, "no ledger yet", ""
    with room.store.reading() as db:
        cut, spare = read_cut(db), spare_archives(room.store.home, db)
    text = "the ledger goes back to its first event"
    if cut:
        text = f"what was before {local_date(cut.at)} is in {cut.file}"
    if cut and not os.path.isfile(archive_path(room.store.home, cut)):
        hint = "To look back further, put it back or run: relay log attach FILE"
        return None, f"{text}, which is kept elsewhere", hint
    if spare:
        told = f"{text}; not needed: {', '.join(spare)}"
        return None, told, "If that is still said in a minute, delete what no backup needs."
    return True, text, ""


def _attachments(room: Room) -> Finding:
    folder = os.path.join(room.store.home, FOLDER)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        return False, f"{folder} is no folder", "Move it away."
    kept = {name for _, _, names in os.walk(folder) for name in names}
    if not room.store.exists:
        return None, "none yet", ""
    with room.store.reading() as db:
        named = named_files(db)
    if named - kept:
        return False, f"{len(named - kept)} of {len(named)} files that messages name are gone", _RESTORE
    spoiled = [sha256 for sha256 in named if read_kept(room.store.home, sha256) is None]
    if spoiled:
        return False, f"{len(spoiled)} of {len(named)} kept files are not what the ledger says", _RESTORE
    orphans = len(kept - named)
    return None if orphans else True, f"{len(named)} kept, {orphans} that no message names", ""


def _tables(room: Room) -> Finding:
    """Beyond `REBUILT` events the full comparison is left to `log rebuild --check`."""
    if not room.store.exists:
        return None, "no tables yet", ""
    with room.store.reading() as db:
        events = next_seq(db) - 1 - cut_seq(db)
        if events > REBUILT:
            return None, f"{events:,} events, too many to fold here", "Run: relay log rebuild --check"
        equal = check_rebuild(db).equal
    if not equal:
        return False, "the tables are not what the ledger says", "Run: relay log rebuild --check"
    return True, "every table is what the ledger says", ""


def _rooms(room: Room) -> Finding:
    """Rooms whose folder or repository is not there any more: what is held in them is held nowhere else."""
    if not room.store.exists:
        return None, "no rooms yet", ""
    with room.store.reading() as db:
        rooms, gone = list_rooms(db), rooms_adrift(db)
    loose = sum(not row.attached for row in rooms)
    if not gone:
        found = f"{len(rooms) - loose}, and the folder of each is there"
        return True, f"{found}; {loose} more without a folder" if loose else found, ""
    named = ", ".join(f"{row.name} ({row.root})" for row in gone)
    return None, f"the folder is gone of {named}", f"Where it was moved to, run: {way_back(gone[0])}"


def _writers(room: Room) -> Finding:
    """Whether somebody holds the writers' lock at this moment, and who."""
    if not room.store.exists:
        return None, "nobody writes yet", ""
    lock = WriterLock(room.store.home, deadline=0)
    try:
        lock.acquire()
    except RelayError as busy:
        return None, busy.message, busy.hint
    except OSError as fault:
        stuck = os_error(fault, lock.path)
        return False, stuck.message, stuck.hint
    lock.release()
    queue = os.path.join(room.store.home, line.FILE)
    if os.path.lexists(queue) and (os.path.islink(queue) or not os.path.isfile(queue)):
        return False, f"{queue} is no plain file, so that writers come in no order", "Move it away."
    return True, "nobody holds the writers' lock", ""


def _settings(room: Room) -> Finding:
    """Keys that no room reads, and tables of rooms that are none."""
    settings, rooms = read_settings(room.store.home), set()
    if room.store.exists:
        with room.store.reading() as db:
            rooms = {row.name for row in list_rooms(db)}
    unknown = {*_unread(settings), *(f'room."{name}"' for name in settings.rooms if name not in rooms)}
    for name in rooms.intersection(settings.rooms):
        unknown.update(_unread(read_settings(room.store.home, name)))
    if unknown:
        return False, f"relay.toml has keys nobody reads: {', '.join(sorted(unknown))}", "Check their spelling."
    return True, "relay.toml is understood, or not there", ""


def _unread(settings: Settings) -> Iterator[str]:
    """Settings that are none, and ids of keys that none has, with those that are spelled like it."""
    yield from settings.unknown
    for name, _ in settings.keys:
        if name not in KEY_IDS:
            near = ", ".join(nearest(name, KEY_IDS))
            yield f'keys."{name}"' + (f" (near: {near})" if near else "")


def _hooks(room: Room) -> Finding:
    """What clients' hooks failed at in the last day and did not do since; they fail in silence, so it is shown."""
    failed = read_mishaps(room.store.home, room.clock() - LASTS)
    if not failed:
        return True, "no hook has failed in the last day", ""
    last = failed[-1]
    when = f"{age(last.at, room.clock())} ago" + (f" in {last.folder}" if last.folder else "")
    text = f"{len(failed)} failed in the last day; the last, {when}, {last.where}: {last.text}"
    return False, text, "The note goes once the hook has worked again; at once with: relay doctor --forget"


def _passed(room: Room) -> Finding:
    """Files that were changed past the guard, of which their holders have not said that they have handled it."""
    if not room.exists:
        return None, "no room here yet", ""
    with room.reading() as db:
        passed = read_passed(db, room, room.clock())
    if not passed:
        return True, "nothing that others hold was changed past the guard", ""
    last = passed[-1]
    text = (
        f"{len(passed)} changed past the guard; the last, {age(last.at, room.clock())} ago, {last.path},"
        f" which {last.holder.seen_from(room.row.name)} holds, where {last.agent.seen_from(room.row.name)} works"
    )
    return None, text, "Run: relay attention, and: relay log --kind guard.passed"


_CHECKS: dict[str, Callable[[Room], Finding]] = {
    "home": _home,
    "disk": doctor_machine.disk,
    "database": _database,
    "chain": _chain,
    "tables": _tables,
    "rooms": _rooms,
    "writers": _writers,
    "attachments": _attachments,
    "archives": _archives,
    "settings": _settings,
    "sqlite": doctor_machine.sqlite,
    "git": doctor_machine.git,
    "hooks": _hooks,
    "passed": _passed,
    **doctor_clients.CHECKS,
    "path": doctor_machine.path,
}
