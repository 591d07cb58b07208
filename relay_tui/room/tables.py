"""The statements that make the tables of relay.db, one text for each job. What they are for stands in `schema`."""

from __future__ import annotations

LEDGER = """
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    room INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    payload BLOB NOT NULL,
    UNIQUE (room, number)
) STRICT;

CREATE TABLE base (
    place INTEGER PRIMARY KEY,
    part TEXT NOT NULL,
    content BLOB NOT NULL
) STRICT;
"""

REGISTRY = """
CREATE TABLE rooms (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    repository TEXT,
    family INTEGER NOT NULL,
    own INTEGER NOT NULL CHECK (own IN (0, 1)),
    attached INTEGER NOT NULL CHECK (attached IN (0, 1)),
    operator TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rooms_by_repository ON rooms (repository);
CREATE INDEX rooms_by_root ON rooms (root);

CREATE TABLE agents (
    key INTEGER PRIMARY KEY,
    room INTEGER NOT NULL REFERENCES rooms,
    name TEXT NOT NULL,
    standing TEXT NOT NULL CHECK (standing IN ('here', 'dormant', 'left', 'retired')),
    ephemeral INTEGER NOT NULL CHECK (ephemeral IN (0, 1)),
    runner TEXT,
    session TEXT,
    pid INTEGER,
    process_start INTEGER,
    boot TEXT,
    status TEXT CHECK (status IN ('working', 'waiting', 'blocked', 'idle', 'done')),
    text TEXT,
    task TEXT,
    branch TEXT,
    worktree TEXT,
    joined_at INTEGER NOT NULL,
    left_at INTEGER,
    status_at INTEGER,
    status_seq INTEGER,
    UNIQUE (room, name)
) STRICT;
CREATE INDEX agents_ephemeral ON agents (room) WHERE ephemeral = 1 AND standing = 'here';

CREATE TABLE sessions (
    agent INTEGER NOT NULL REFERENCES agents,
    session TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    client TEXT,
    pid INTEGER,
    folder TEXT,
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (agent, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    room INTEGER NOT NULL REFERENCES rooms,
    asker TEXT NOT NULL,
    whom TEXT NOT NULL,
    text TEXT NOT NULL,
    message TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    closed_at INTEGER,
    closed_by TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX questions_open ON questions (room, asker) WHERE closed_at IS NULL;

CREATE TABLE presence (
    agent INTEGER PRIMARY KEY REFERENCES agents,
    last_seen INTEGER NOT NULL,
    ahead INTEGER,
    source TEXT NOT NULL,
    last_fetched_at INTEGER,
    transport TEXT,
    connected INTEGER,
    reported_at INTEGER
) STRICT;
"""

# The agent of a delivery is looked up by its name as the delivery is inserted: a second look, a hundred times in a
# broadcast, could find nothing else.
MESSAGES = """
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    room INTEGER NOT NULL REFERENCES rooms,
    sender TEXT NOT NULL,
    audience TEXT NOT NULL,
    addressed TEXT NOT NULL,
    summary TEXT NOT NULL,
    reply_to TEXT,
    thread TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    request TEXT,
    unsettled INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_sender ON messages (room, sender, seq);
CREATE INDEX messages_by_thread ON messages (thread, seq);
CREATE UNIQUE INDEX messages_by_request ON messages (room, sender, request) WHERE request IS NOT NULL;
CREATE INDEX messages_unsettled ON messages (room, expires_at, seq) WHERE unsettled > 0;

CREATE TABLE deliveries (
    message INTEGER NOT NULL REFERENCES messages DEFERRABLE INITIALLY DEFERRED,
    agent INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    notified_at INTEGER,
    notified_by TEXT,
    delivered_at INTEGER,
    delivered_session TEXT,
    handled_at INTEGER,
    handled_session TEXT,
    handled_via TEXT,
    note TEXT,
    expired_at INTEGER,
    expired_reason TEXT,
    PRIMARY KEY (message, agent)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_open ON deliveries (agent, message, expires_at, handled_at, expired_at)
    WHERE handled_at IS NULL AND expired_at IS NULL;
CREATE INDEX deliveries_settled ON deliveries (agent, message, handled_at)
    WHERE handled_at IS NOT NULL OR expired_at IS NOT NULL;

CREATE TABLE attachments (
    message INTEGER NOT NULL REFERENCES messages,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (message, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE wakes (
    agent INTEGER NOT NULL REFERENCES agents,
    message INTEGER NOT NULL REFERENCES messages,
    means TEXT NOT NULL,
    tried_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT,
    text TEXT,
    PRIMARY KEY (agent, message)
) STRICT, WITHOUT ROWID;
"""

SEARCH = "CREATE VIRTUAL TABLE search USING fts5 (summary, body, content='', detail=full);"

CLAIMS = """
CREATE TABLE claims (
    scope TEXT NOT NULL CHECK (scope IN ('project', 'machine', 'branch')),
    family INTEGER NOT NULL,
    lookup TEXT NOT NULL,
    resource TEXT NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    note TEXT,
    claimed_at INTEGER NOT NULL,
    planned INTEGER NOT NULL CHECK (planned IN (0, 1)),
    PRIMARY KEY (scope, family, lookup)
) STRICT, WITHOUT ROWID;
CREATE INDEX claims_by_agent ON claims (agent);

CREATE TABLE handoffs (
    id TEXT PRIMARY KEY,
    room INTEGER NOT NULL REFERENCES rooms,
    giver INTEGER NOT NULL REFERENCES agents,
    recipient INTEGER NOT NULL REFERENCES agents,
    reason TEXT,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'partly', 'declined', 'cancelled')),
    requested_at INTEGER NOT NULL,
    answered_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE handoff_resources (
    handoff TEXT NOT NULL REFERENCES handoffs,
    scope TEXT NOT NULL,
    family INTEGER NOT NULL,
    lookup TEXT NOT NULL,
    resource TEXT NOT NULL,
    waiting INTEGER NOT NULL CHECK (waiting IN (0, 1)),
    accepted INTEGER CHECK (accepted IN (0, 1)),
    PRIMARY KEY (handoff, scope, family, lookup)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX handoff_resources_waiting ON handoff_resources (scope, family, lookup) WHERE waiting = 1;

CREATE TABLE waiting (
    ticket INTEGER NOT NULL,
    scope TEXT NOT NULL,
    family INTEGER NOT NULL,
    lookup TEXT NOT NULL,
    resource TEXT NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    pid INTEGER NOT NULL,
    process_start INTEGER NOT NULL,
    boot TEXT NOT NULL,
    ends INTEGER NOT NULL,
    PRIMARY KEY (ticket, scope, family, lookup)
) STRICT, WITHOUT ROWID;
"""

# For IN with more than two values SQLite makes a table at each row, half of the time of an import: so OR.
WORK = """
CREATE TABLE items (
    room INTEGER NOT NULL REFERENCES rooms,
    id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind = 'roadmap' OR kind = 'phase' OR kind = 'epic' OR kind = 'task' OR kind = 'todo'),
    parent TEXT,
    place INTEGER NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status = 'todo' OR status = 'in-progress' OR status = 'blocked' OR status = 'review'
        OR status = 'done' OR status = 'cancelled'),
    owner TEXT,
    priority TEXT,
    labels TEXT NOT NULL DEFAULT '[]',
    branch TEXT,
    artifacts TEXT NOT NULL DEFAULT '[]',
    due TEXT,
    blocked_by TEXT NOT NULL DEFAULT '[]',
    note TEXT,
    revision INTEGER NOT NULL,
    removed_at INTEGER,
    status_at INTEGER NOT NULL,
    PRIMARY KEY (room, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_by_parent ON items (room, parent, place);
CREATE INDEX items_by_branch ON items (room, branch) WHERE branch IS NOT NULL;
CREATE INDEX items_removed ON items (room) WHERE removed_at IS NOT NULL;

CREATE TABLE plans (
    room INTEGER NOT NULL REFERENCES rooms,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    choices TEXT NOT NULL,
    worktree TEXT,
    head TEXT,
    branch TEXT,
    reading TEXT,
    read_at INTEGER NOT NULL,
    PRIMARY KEY (room, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE plan_items (
    room INTEGER NOT NULL,
    path TEXT NOT NULL,
    item TEXT NOT NULL,
    place INTEGER NOT NULL,
    line INTEGER,
    gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
    seen TEXT NOT NULL,
    base TEXT,
    PRIMARY KEY (room, path, item)
) STRICT, WITHOUT ROWID;
"""

ALL = (LEDGER, REGISTRY, MESSAGES, SEARCH, CLAIMS, WORK)
