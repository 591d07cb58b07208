"""A block of lines of relay's in somebody else's text, between two marks. Pure: text in, text out."""

from __future__ import annotations

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_SAID = "relay:begin (`relay setup` writes this block; `relay setup --undo` takes it out)"


class Marks(NamedTuple):
    """The first and the last line of a block, as a comment of the file's own language."""

    begin: str
    end: str


MARKDOWN = Marks(f"<!-- {_SAID} -->", "<!-- relay:end -->")
TOML = Marks(f"# {_SAID}", "# relay:end")


def put_block(text: str, name: str, marks: Marks, body: str) -> str:
    """The text with the block in its place, or at the end after an empty line. Raises `invalid`."""
    found = find_block(text, name, marks)
    # A lone carriage return at the end and our line feed read as one line end, so an old block says what it is.
    newline = "\r\n" if "\r\n" in (text[slice(*found)] if found else text) else "\n"
    block = "\n".join([marks.begin, body.rstrip("\n"), marks.end, ""]).replace("\n", newline)
    if found is not None:
        begin, end = found
        at_end = end == len(text) and not text.endswith("\n")
        return text[:begin] + (block.removesuffix(newline) if at_end else block) + text[end:]
    if not text:
        return block
    return text + ("" if text.endswith("\n") else newline) + newline + block


def take_block(text: str, name: str, marks: Marks, left: str = "") -> str:
    """The text without the block and the empty line before it, and with `left` in its place. Raises `invalid`."""
    found = find_block(text, name, marks)
    if found is None:
        return text
    before, after = text[: found[0]], left + text[found[1] :]
    for gap in ("\r\n\r\n", "\n\n"):
        if before.endswith(gap):
            before = before[: -len(gap) // 2]
            break
    return before + after if (before + after).strip() else ""


def find_block(text: str, name: str, marks: Marks) -> tuple[int, int] | None:
    """Where the block begins and ends; None where there is none. Raises `invalid` for half of one, or two."""
    begins, ends, at = [], [], 0
    for line in text.split("\n"):
        if line.rstrip() == marks.begin:
            begins.append(at)
        at = min(at + len(line) + 1, len(text))
        if line.rstrip() == marks.end:
            ends.append(at)
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] >= ends[0]:
        raise RelayError(
            "invalid", f"{name}: the marks of relay's block do not pair.",
            f"Take out every line '{marks.begin}' and '{marks.end}'; nothing was written.",
        )  # fmt: skip
    return begins[0], ends[0]
