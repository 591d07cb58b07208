"""No bare foreign string reaches a Textual widget, which would take it for markup (STYLE, Textual facts).

What a widget is given is `Content` or `Text`, a literal without brackets, or comes with `markup=False`. The
check reads the source: an expression is safe if it is one of these, or a name, attribute or function that the
package annotates as `Content` or `Text`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from tests.source import Module, modules

WIDGETS = frozenset(
    "Static Label Button Link Checkbox RadioButton Collapsible TabPane Tab Option Selection Tree Markdown".split()
)
METHODS = frozenset("notify update set_label add_leaf add_option set_content".split())
PROPERTIES = frozenset("border_title border_subtitle tooltip label".split())
KEYWORDS = frozenset("content label title tooltip message prompt renderable".split())
MAKERS = frozenset(
    ("Content", "Text", "Content.assemble", "Content.styled", "Content.from_text", "Content.from_rich_text")
)
# A table or log of these would parse or repaint what RowList does not (DESIGN §4).
BANNED = frozenset(("DataTable", "RichLog", "OptionList", "SelectionList"))

each_module = pytest.mark.parametrize("module", modules("tui"), ids=lambda module: module.name)


def harmless(annotation: ast.expr | None) -> bool:
    """Whether an annotation admits `Content` and `Text` and nothing that is parsed."""
    names = set(ast.unparse(annotation).replace('"', "").replace(" ", "").split("|")) if annotation else set()
    return bool(names) and names <= {"Content", "Text", "RenderResult", "None"}


def annotated(trees: Iterable[ast.Module]) -> set[str]:
    """Functions, attributes and properties that are declared to be `Content` or `Text`."""
    found = set()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and harmless(node.returns):
                found.add(node.name)
            elif isinstance(node, ast.AnnAssign) and harmless(node.annotation):
                found.add(ast.unparse(node.target).removeprefix("self."))
    return found


class Scope(ast.NodeVisitor):
    """Walks one module and keeps every place where a widget is given what may be parsed."""

    def __init__(self, declared: set[str]) -> None:
        self.declared = declared
        self.local: dict[str, bool] = {}
        self.bases: list[str] = []
        self.found: list[tuple[int, str]] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bases.append(" ".join(ast.unparse(base) for base in node.bases))
        self.generic_visit(node)
        self.bases.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = dict(self.local)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        self.local.update({one.arg: harmless(one.annotation) for one in arguments})
        self.generic_visit(node)
        self.local = before

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.local[target.id] = self.is_safe(node.value) and self.local.get(target.id, True)
            elif isinstance(target, ast.Attribute) and target.attr in PROPERTIES:
                self.check(node, node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        says_plain = any(one.arg == "markup" and ast.unparse(one.value) == "False" for one in node.keywords)
        if (name in WIDGETS or name in METHODS or self.makes_widget(node)) and not says_plain:
            for value in [*node.args[:1], *(one.value for one in node.keywords if one.arg in KEYWORDS)]:
                self.check(node, value)
        elif name == "from_markup" and not isinstance(node.args[0], ast.Constant):
            self.check(node, node.args[0])
        self.generic_visit(node)

    def makes_widget(self, node: ast.Call) -> bool:
        inside = self.bases[-1] if self.bases else ""
        return ast.unparse(node.func) == "super().__init__" and any(widget in inside.split() for widget in WIDGETS)

    def check(self, node: ast.AST, value: ast.expr) -> None:
        if not self.is_safe(value):
            self.found.append((getattr(node, "lineno", 0), ast.unparse(value)))

    def is_safe(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Constant):
            return value.value is None or (isinstance(value.value, str) and "[" not in value.value)
        if isinstance(value, ast.IfExp):
            return self.is_safe(value.body) and self.is_safe(value.orelse)
        if isinstance(value, ast.BinOp | ast.BoolOp):
            parts = value.values if isinstance(value, ast.BoolOp) else [value.left, value.right]
            return all(map(self.is_safe, parts))
        if isinstance(value, ast.Name):
            return self.local.get(value.id, value.id in self.declared)
        if isinstance(value, ast.Attribute):
            return value.attr in self.declared
        return isinstance(value, ast.Call) and self.makes_content(value)

    def makes_content(self, call: ast.Call) -> bool:
        name = ast.unparse(call.func)
        if name in MAKERS or name.split(".")[-1] in self.declared:
            return True
        if name == "Content.from_markup":
            return isinstance(call.args[0], ast.Constant)
        # `Content(…).stylize(…)`, `Content("\n").join(…)`: what Content does to itself is Content.
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        return receiver is not None and not isinstance(receiver, ast.Constant) and self.is_safe(receiver)


def bare_strings(tree: ast.Module, declared: set[str]) -> list[tuple[int, str]]:
    scope = Scope(declared)
    scope.visit(tree)
    return scope.found


@pytest.fixture(scope="module")
def declared() -> set[str]:
    return annotated(module.tree for module in modules("tui"))


@each_module
def test_no_widget_is_given_a_bare_string(module: Module, declared: set[str]) -> None:
    assert bare_strings(module.tree, declared) == []


@each_module
def test_no_widget_that_parses_rows_is_used(module: Module) -> None:
    names = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    assert not names & BANNED


def unsafe(line: str) -> list[str]:
    source = f"def f(self, said: str, clean: Content):\n    copy = said\n    kept = one_line(said)\n    {line}\n"
    makers = annotated([ast.parse("def one_line(x) -> Content: ...\nclass A:\n    banner: Content\n")])
    return [value for _, value in bare_strings(ast.parse(source), makers)]


@pytest.mark.parametrize("line", [
    "Static(said)", "Static(f'{said}')", "Static('[b]x[/b]')", "Label(copy)", "Button(label=said)",
    "Option('a ' + said)", "self.notify(said)", "self.notify(message=said)", "self.query_one('#x').update(said)",
    "self.border_title = said", "self.tooltip = f'{said}'", "Static(clean if self.x else said)", "Static(str(clean))",
    "Static(', '.join(said))",
    "Content.from_markup(said)", "Static(Content.from_markup(f'{said}'))", "node.set_label(said)", "Tree(said)",
])  # fmt: skip
def test_a_bare_string_is_found(line: str) -> None:
    assert unsafe(line)


@pytest.mark.parametrize("line", [
    "Static()", "Static('plain')", "Static(Content(said))", "Static(Text(said))", "Static(one_line(said))",
    "Static(clean)", "Static(kept)", "Static(said, markup=False)", "self.notify(said, markup=False)",
    "self.border_title = one_line(said)", "Static(self.banner)", "Static(Content(said).stylize('bold'))",
    "Static(Content.from_markup('[b]$x[/b]', x=said))", "Static(clean if self.x else kept)", "other(said)",
    "self.query_one('#x').update(Content('\\n').join(lines))", "values.update()",
])  # fmt: skip
def test_what_is_no_markup_passes(line: str) -> None:
    assert unsafe(line) == []
