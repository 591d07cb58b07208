"""The layers of DESIGN §4: which may know which, and what stands in one place only."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.source import Module, modules

# What a layer may import, itself aside. `__init__` holds the version, `__main__` is a way to start `cli`.
BELOW = {
    "base": set(),
    "repo": {"base"},
    "roadmap": {"base"},
    "wiring": {"base"},
    "room": {"base"},
    "actions": {"base", "room", "repo", "roadmap", "wiring"},
    "cli": {"base", "room", "actions", "__init__"},
    "tui": {"base", "room", "actions"},
    "agents": {"base", "room", "actions", "__init__"},
    "__main__": {"cli"},
    "__init__": set(),
}
# Doors stand side by side; where one leads into another, it does so by name and only when it is asked to.
PASSAGES = {
    ("cli.main", "tui.app"),
    ("cli.main", "agents.hook_door"),
    ("cli.main", "agents.launcher"),
    ("cli.main", "agents.mcp.door"),
    ("tui.acts.typed_line", "cli.typer_app"),
    ("tui.answers", "cli.texts"),
}
# The rooms of the screen, each knowing those before it; what stands beside them (`desk`, `door`, `frame`) all may know.
ROOMS_OF_THE_SCREEN = ["widgets", "rows_of", "readings", "dialogs", "acts", "screens"]
# Records of what git says are the shape of what others take and show; for the type checker only.
SHAPES = {("room", "repo.facts"), ("tui", "repo.facts"), ("cli", "repo.hooks"), ("cli", "wiring.sessions")}
# The third parties that may be known, and where.
LIBRARIES = {
    "textual": {"tui"}, "rich": {"tui"}, "typer": {"cli"}, "click": set(), "git": {"repo"},
    "watchdog": {"base", "room", "repo"}, "sqlite_utils": {"room", "cli"}, "markdown_it": {"roadmap"},
    "sqlite3": {"room", "actions"}, "_sqlite3": {"room"},
    "mcp": {"agents"}, "mcp_types": {"agents"}, "pydantic": {"agents"}, "anyio": {"agents"},
}  # fmt: skip
LINES = 300
_SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER)\s+\w")

each_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)


def imports(tree: ast.AST, *, typing_only: bool = False) -> Iterator[tuple[str, bool]]:
    """Every module that is imported anywhere in a module, and whether only for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, typing_only) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            for alias in node.names:
                yield (f"{node.module}.{alias.name}" if node.module == "relay_tui" else str(node.module)), typing_only
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield ast.unparse(node.args[0]).strip("f'\"").partition(".{")[0], typing_only
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for inner in node.body:
                yield from imports(ast.Module([inner], []), typing_only=True)
            yield from imports(ast.Module(node.orelse, []), typing_only=typing_only)
        else:
            yield from imports(node, typing_only=typing_only)


@each_module
def test_arrows_point_down_only(module: Module) -> None:
    for imported, typing_only in imports(module.tree):
        if not imported.startswith("relay_tui"):
            continue
        target = imported.removeprefix("relay_tui").lstrip(".")
        layer = target.partition(".")[0] if target.partition(".")[0] in BELOW else "__init__"
        if layer == module.layer or (module.name, target) in PASSAGES:
            continue
        if typing_only and (module.layer, target) in SHAPES:
            continue
        assert layer in BELOW[module.layer], f"{module.name} knows {imported}"


@pytest.mark.parametrize("module", modules("tui"), ids=lambda module: module.name)
def test_the_rooms_of_the_screen_know_those_before_them(module: Module) -> None:
    mine = module.name.split(".")[1] if module.name.count(".") > 1 else "screens"
    for imported, typing_only in imports(module.tree):
        room = imported.removeprefix("relay_tui.tui.").partition(".")[0]
        if not typing_only and mine in ROOMS_OF_THE_SCREEN and room in ROOMS_OF_THE_SCREEN:
            order = [ROOMS_OF_THE_SCREEN.index(one) for one in (room, mine)]
            assert order == sorted(order), f"{module.name} knows {imported}"


@each_module
def test_libraries_are_known_where_they_belong(module: Module) -> None:
    for imported, _ in imports(module.tree):
        allowed = LIBRARIES.get(imported.partition(".")[0])
        assert allowed is None or module.layer in allowed, f"{module.name} knows {imported}"


@each_module
def test_sql_stands_in_the_room(module: Module) -> None:
    if module.layer == "room":
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not _SQL.match(node.value), f"{module.name}:{node.lineno}"


@each_module
def test_errors_quote_what_was_said_and_the_doors_make_it_inert(module: Module) -> None:
    for fault in calls_of("RelayError", module.tree):
        assert not list(calls_of("inert", fault)), f"{module.name}:{fault.lineno}: JSON keeps the original"


def calls_of(name: str, tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == name)


@each_module
def test_one_module_writes_standard_output(module: Module) -> None:
    if module.name == "cli.output":
        return
    asked = [ast.unparse(node) for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)]
    streams = {one for one in asked if re.fullmatch(r"sys\.(stdout|stderr|__stdout__|__stderr__)\.\w+", one)}
    assert streams <= {"sys.stdout.isatty", "sys.stdout.encoding"}, "asking is no writing"
    called = {ast.unparse(node.func) for node in ast.walk(module.tree) if isinstance(node, ast.Call)}
    assert "print" not in called
    # Typer prints its help itself; the version goes the same way.
    assert "typer.echo" not in called or module.name == "cli.typer_app"


def test_faults_are_caught_at_the_doors_only() -> None:
    caught = Counter(module.layer for module in modules() for handler in handlers(module) if is_wide(handler))
    assert caught == {"cli": 1, "tui": 1, "agents": 2}, "agents have two doors: hooks and MCP"


def handlers(module: Module) -> list[ast.ExceptHandler]:
    return [node for node in ast.walk(module.tree) if isinstance(node, ast.ExceptHandler)]


def is_wide(handler: ast.ExceptHandler) -> bool:
    """Whether it takes any fault and does not hand it on."""
    names = "" if handler.type is None else ast.unparse(handler.type)
    wide = handler.type is None or re.search(r"\b(Base)?Exception\b", names)
    last = handler.body[-1]
    return bool(wide) and not (isinstance(last, ast.Raise) and last.exc is None)


@each_module
def test_a_module_says_what_lives_here_and_stays_short(module: Module) -> None:
    if not module.text:
        return
    assert ast.get_docstring(module.tree)
    first = module.text.split("\n", 1)[0]
    assert module.text.count("\n") <= LINES or f"over {LINES} lines because" in first


@each_module
def test_nothing_is_left_to_do_and_nothing_is_hidden_in_a_clock(module: Module) -> None:
    assert not re.search(r"\b(TODO(?!\.md)|FIXME|XXX|HACK)\b", module.text)
    if module.layer in ("room", "actions", "roadmap"):
        called = {ast.unparse(node.func) for node in ast.walk(module.tree) if isinstance(node, ast.Call)}
        assert not called & {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today"}


def test_the_rules_above_see_what_they_forbid() -> None:
    tree = ast.parse(
        "import git\nfrom relay_tui import __version__\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n"
        "    from relay_tui.repo.facts import X\nelse:\n    from relay_tui.base.record import Y\n"
        "def f():\n    import relay_tui.tui.app\n    importlib.import_module(f'relay_tui.room.{x}')\n"
    )
    assert set(imports(tree)) == {
        ("git", False), ("relay_tui.__version__", False), ("relay_tui.repo.facts", True),
        ("relay_tui.base.record", False), ("relay_tui.tui.app", False), ("relay_tui.room", False),
    }  # fmt: skip
    assert _SQL.match("\n SELECT x FROM y")
    assert list(calls_of("inert", ast.parse("RelayError('x', f'{inert(y)}')")))
    wide = ast.parse(
        "try: pass\nexcept (OSError, Exception): pass\ntry: pass\nexcept BaseException:\n  undo()\n  raise"
    )
    assert [is_wide(one) for one in ast.walk(wide) if isinstance(one, ast.ExceptHandler)] == [True, False]
