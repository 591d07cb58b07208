"""Attachments on their way out: for those they were sent to, whole or not at all, and never over a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relay_tui.room import attachments, messages
from relay_tui.room.attachments import FILE_BYTES, FILES, Fetched, fetch_attachments, kept_path, read_attachments
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft
from tests.room_fixture import House, refusal

HOSTILE = ("../../evil", "/etc/passwd", "..", "", "a/b", "x\x1b[2J\n", "-rf")


@pytest.fixture
def crew(house: House) -> tuple[Actor, Actor, Actor]:
    return house.join("a"), house.join("b"), house.join("c")


def send_files(house: House, me: Actor, files: dict[str, bytes], **draft: object) -> str:
    """Send files with these names to b; returns the message's id."""
    paths = []
    for place, (name, content) in enumerate(files.items()):
        folder = Path(house.folder, f"sent-{place}")
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
        paths.append(str(folder / name))
    return messages.send(house.room, me, Draft("see", "b", attachments=read_attachments(house.room, paths))).id


def fetch(house: House, name: str, message: str, out: str = "out", *, force: bool = False) -> Fetched:
    return fetch_attachments(house.room, name, message, os.path.join(house.folder, out), force=force)


def test_sender_recipient_and_operator_get_the_bytes_and_nobody_else(
    house: House, crew: tuple[Actor, Actor, Actor]
) -> None:
    sent = send_files(house, crew[0], {"one.txt": b"1\x00\xff", "two.txt": b""})
    for name in ("a", "b", "operator"):
        fetched = fetch(house, name, sent, f"out/{name}")
        assert [Path(file.path).read_bytes() for file in fetched.files] == [b"1\x00\xff", b""]
        assert [os.stat(file.path).st_mode & 0o777 for file in fetched.files] == [0o600, 0o600]
        assert sorted(os.listdir(f"{house.folder}/out/{name}")) == ["one.txt", "two.txt"]
    assert refusal(fetch, house, "c", sent).code == "unknown_message"
    assert not os.path.exists(f"{house.folder}/out/c")
    assert house.receipt(sent, "b").delivered_at is None, "files are not the body"


def test_a_file_that_is_there_stays_unless_it_is_forced(house: House, crew: tuple[Actor, Actor, Actor]) -> None:
    sent = send_files(house, crew[0], {"one.txt": b"new", "two.txt": b"2"})
    out = Path(house.folder, "out")
    out.mkdir()
    (out / "two.txt").write_bytes(b"mine")
    fault = refusal(fetch, house, "b", sent)
    assert (fault.code, fault.exit_code) == ("file_exists", 5)
    assert os.listdir(out) == ["two.txt"]
    assert (out / "two.txt").read_bytes() == b"mine"
    fetch(house, "b", sent, force=True)
    assert (out / "two.txt").read_bytes() == b"2"


def test_a_file_that_appears_at_the_last_moment_stays(house: House) -> None:
    mine = Path(house.folder, "one.txt")
    mine.write_bytes(b"mine")
    assert refusal(attachments._write_all, house.folder, [(b"new", str(mine))], force=False).code == "file_exists"
    assert mine.read_bytes() == b"mine"


def test_a_link_in_the_way_is_replaced_and_not_followed(house: House, crew: tuple[Actor, Actor, Actor]) -> None:
    sent = send_files(house, crew[0], {"one.txt": b"new"})
    out, victim = Path(house.folder, "out"), Path(house.folder, "victim")
    out.mkdir()
    victim.write_bytes(b"precious")
    for target in (victim, Path(house.folder, "nowhere")):
        (out / "one.txt").unlink(missing_ok=True)
        (out / "one.txt").symlink_to(target)
        assert refusal(fetch, house, "b", sent).code == "file_exists"
        fetch(house, "b", sent, force=True)
        assert not (out / "one.txt").is_symlink()
        assert (out / "one.txt").read_bytes() == b"new"
    assert victim.read_bytes() == b"precious"
    assert not os.path.exists(f"{house.folder}/nowhere")


@pytest.mark.parametrize("damage", [b"3", b"", None])
def test_one_damaged_file_and_none_is_written(
    house: House, crew: tuple[Actor, Actor, Actor], damage: bytes | None
) -> None:
    sent = send_files(house, crew[0], {"one.txt": b"1", "two.txt": b"2"})
    kept = Path(kept_path(house.home, house.rows("SELECT sha256 FROM attachments WHERE name = 'two.txt'")[0][0]))
    if damage is None:
        kept.unlink()
    else:
        kept.write_bytes(damage)
    assert refusal(fetch, house, "b", sent).code == "corrupt"
    assert not os.path.exists(f"{house.folder}/out")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_from_somebody_elses_ledger_stays_in_the_folder(
    house: House, crew: tuple[Actor, Actor, Actor], name: str
) -> None:
    send_files(house, crew[0], {"one.txt": b"1"})
    with house.room.writing(crew[0]) as tx:
        data = house.events("message.sent")[0].data
        data = {**data, "id": "M9", "attachments": [{**data["attachments"][0], "name": name}] * 2}
        tx.append("message.sent", data)
    before = sorted(os.listdir(house.folder))
    first, second = fetch(house, "b", "M9").files
    out = f"{house.folder}/out"
    assert [os.path.dirname(file.path) for file in (first, second)] == [out, out]
    assert first.path != second.path
    assert all(path.isprintable() for path in os.listdir(out))
    assert Path(first.path).read_bytes() == b"1"
    assert sorted(os.listdir(house.folder)) == sorted([*before, "out"])


def test_names_that_differ_only_in_case_or_not_at_all_are_told_apart(
    house: House, crew: tuple[Actor, Actor, Actor]
) -> None:
    folders = [Path(house.folder, folder) for folder in ("x", "y", "z")]
    for folder, name in zip(folders, ("a.txt", "A.TXT", "a.txt"), strict=True):
        folder.mkdir()
        (folder / name).write_bytes(folder.name.encode())
    paths = [str(next(folder.iterdir())) for folder in folders]
    sent = messages.send(house.room, crew[0], Draft("see", "b", attachments=read_attachments(house.room, paths)))
    fetched = fetch(house, "b", sent.id)
    assert [os.path.basename(file.path) for file in fetched.files] == ["a.txt", "A-2.TXT", "a-3.txt"]
    assert [Path(file.path).read_bytes() for file in fetched.files] == [b"x", b"y", b"z"]


def test_the_longest_name_a_disk_takes_comes_back(house: House, crew: tuple[Actor, Actor, Actor]) -> None:
    name = "n" * 255
    (file,) = fetch(house, "b", send_files(house, crew[0], {name: b"1"})).files
    assert os.path.basename(file.path) == name


def test_a_folder_that_cannot_be_written_is_told_and_left_clean(house: House, crew: tuple[Actor, Actor, Actor]) -> None:
    sent = send_files(house, crew[0], {"one.txt": b"1", "two.txt": b"2"})
    Path(house.folder, "file").write_bytes(b"")
    assert refusal(fetch, house, "b", sent, "file").code == "file_exists"
    assert refusal(fetch, house, "b", sent, "file/below").code == "storage"
    (Path(house.folder) / "out" / "two.txt").mkdir(parents=True)
    assert refusal(fetch, house, "b", sent, force=True).code == "storage"
    assert not [name for name in os.listdir(f"{house.folder}/out") if name.endswith(".part")]


def test_a_dry_run_writes_nothing(house: House, crew: tuple[Actor, Actor, Actor]) -> None:
    sent = send_files(house, crew[0], {"one.txt": b"1"})
    rehearsal = house.enter(house.repository, dry_run=True)
    assert len(fetch_attachments(rehearsal, "b", sent, f"{house.folder}/out", force=False).files) == 1
    assert not os.path.exists(f"{house.folder}/out")


def test_a_message_carries_so_many_bytes_and_files(house: House) -> None:
    paths = [f"{house.folder}/{number}" for number in range(5)]
    for path in paths:
        Path(path).write_bytes(b"")
        os.truncate(path, FILE_BYTES)
    assert refusal(read_attachments, house.room, paths).code == "too_large"
    assert len(read_attachments(house.enter(house.repository, dry_run=True), paths[:4])) == 4
    os.truncate(paths[0], 1)
    assert len(read_attachments(house.room, [paths[0]] * FILES)) == FILES
    assert os.stat(os.path.join(house.home, attachments.FOLDER)).st_mode & 0o077 == 0


def test_a_retry_with_another_file_is_a_conflict(house: House, crew: tuple[Actor, Actor, Actor]) -> None:
    path = Path(house.folder, "one.txt")

    def send(content: bytes) -> messages.Sent:
        path.write_bytes(content)
        files = read_attachments(house.room, [str(path)])
        return house.send(crew[0], "b", "see", request="k", attachments=files)

    assert [send(b"1").duplicate, send(b"1").duplicate] == [False, True]
    assert refusal(send, b"2").code == "id_conflict"
