"""The scenes of the gauntlet: many agents at once, each with its figures, each checked to the last message."""

from __future__ import annotations

from relay_tui.room.messages import Draft, send
from tests.gauntlet.figures import Figures, figures_of
from tests.gauntlet.stage import Stage
from tests.room_fixture import OPERATOR


def pipeline(folder: str, agents: int = 30, messages: int = 5) -> Figures:
    """The operator sends messages into a row of agents; each fetches, acknowledges and sends on to the next."""
    stage = Stage(folder)
    names = stage.enter([f"agent-{number}" for number in range(agents)])
    for number in range(messages):
        send(stage.room(), OPERATOR, Draft(f"job {number}", names[0]))
    line = zip(names, [*names[1:], "operator"], strict=True)
    seconds, answers = stage.play([stage.worker("pipeline", name, to, messages) for name, to in line])
    stage.check(answers, others_sent=messages)
    return figures_of(f"pipeline of {agents} agents, {messages} messages each", seconds, answers)


def send_and_ack(folder: str, processes: int = 40, messages: int = 100) -> Figures:
    """Processes in a ring, each sending to the next and handling what the one before sends."""
    stage = Stage(folder)
    names = stage.enter([f"agent-{number}" for number in range(processes)])
    ring = zip(names, [*names[1:], names[0]], strict=True)
    seconds, answers = stage.play([stage.worker("send_and_ack", name, to, messages) for name, to in ring])
    stage.check(answers)
    assert sum(len(one.what.split(",")) for one in answers if one.act == "acked") == processes * messages
    return figures_of(f"{processes} processes, {messages} sends and acks each", seconds, answers)


def join_at_once(folder: str, threads: int = 50) -> Figures:
    """Threads that all join as one session of one agent: one agent, and everybody is answered."""
    stage = Stage(folder)
    stage.enter(["first"])
    seconds, answers = stage.play([stage.worker("join_at_once", "one", threads)])
    stage.check(answers)
    assert len(answers) == threads
    with stage.room().reading() as db:
        assert db.execute("SELECT count(*) FROM agents WHERE name = 'one'").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM sessions WHERE ended_at IS NULL AND session = 's-1'").fetchone() == (1,)
    return figures_of(f"{threads} threads join one agent", seconds, answers)


def crowd(folder: str, processes: int = 3, sends: int = 50, reads: int = 100) -> Figures:
    """Single sends and reads that all begin at one moment, in threads of a few processes."""
    stage = Stage(folder)
    names = stage.enter([f"agent-{number}" for number in range(processes)])
    ring = zip(names, [*names[1:], names[0]], strict=True)
    seconds, answers = stage.play([stage.worker("crowd", name, to, sends, reads) for name, to in ring])
    stage.check(answers)
    assert len(answers) == processes * (sends + reads)
    read = sorted(one.took / 1000 for one in answers if one.act == "read")
    more = f"p99 of a read {read[int(len(read) * 0.99)]:,.1f} ms"
    return figures_of(f"{processes * sends} sends and {processes * reads} reads at once", seconds, answers, more)


def mix(folder: str, processes: int = 8, seconds: float = 30) -> Figures:
    """What agents do all day, without a pause: messages, mail, claims and status."""
    stage = Stage(folder)
    names = stage.enter([f"agent-{number}" for number in range(processes)])
    ring = zip(names, [*names[1:], names[0]], strict=True)
    took, answers = stage.play([stage.worker("mix_for", name, to, seconds) for name, to in ring])
    stage.check(answers)
    with stage.room().reading() as db:
        assert db.execute("SELECT count(*) FROM claims").fetchone() == (0,)
    return figures_of(f"mix of {processes} agents for {seconds:g} s", took, answers)
