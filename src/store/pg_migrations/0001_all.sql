-- What SQLite has after its migration 6, in PostgreSQL's words. `number` is the order of submission; times are text in
-- ISO 8601, as in SQLite, so that both are read by one code.
CREATE TABLE runs (
    number          BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id          TEXT    NOT NULL UNIQUE,
    case_id         TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('queued', 'leased', 'running', 'finished', 'cancelled')),
    priority        BIGINT  NOT NULL DEFAULT 0,
    request         TEXT    NOT NULL,
    params_withheld BOOLEAN NOT NULL,
    wanted_device   TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    interruptions   BIGINT  NOT NULL DEFAULT 0,
    device          TEXT,
    verdict         TEXT    CHECK (verdict IN ('passed', 'failed', 'blocked', 'error')),
    reason          TEXT    NOT NULL DEFAULT '',
    result          TEXT,
    sealed_params   BYTEA,
    idempotency_key TEXT,
    batch_id        TEXT,
    place           TEXT,
    host            TEXT,
    lease_until     TEXT,
    created_at      TEXT    NOT NULL,
    started_at      TEXT,
    finished_at     TEXT
);
CREATE INDEX runs_queue ON runs (state, priority DESC, number);
CREATE INDEX runs_state ON runs (state, number);
CREATE INDEX runs_case ON runs (case_id, number);
CREATE INDEX runs_batch ON runs (batch_id, number) WHERE batch_id IS NOT NULL;
CREATE UNIQUE INDEX runs_idempotency ON runs (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE events (
    run_id   TEXT   NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    event    TEXT   NOT NULL,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE probe (
    id      BIGINT PRIMARY KEY CHECK (id = 1),
    ballast BYTEA  NOT NULL
);

CREATE TABLE standings (
    serial   TEXT PRIMARY KEY,
    standing TEXT NOT NULL CHECK (standing IN ('suspect', 'quarantined')),
    reason   TEXT NOT NULL
);

CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    scope      TEXT NOT NULL CHECK (scope IN ('read', 'run', 'admin')),
    hash       TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
);

CREATE TABLE audit (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     TEXT   NOT NULL,
    actor  TEXT   NOT NULL,
    peer   TEXT   NOT NULL,
    action TEXT   NOT NULL,
    status BIGINT NOT NULL,
    detail TEXT   NOT NULL
);

CREATE TABLE batches (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch_id    TEXT   NOT NULL UNIQUE,
    name        TEXT   NOT NULL,
    schedule    TEXT,
    trigger_by  TEXT   NOT NULL,
    commit_id   TEXT,
    app_before  TEXT,
    app_after   TEXT,
    spec        TEXT   NOT NULL,
    tally       TEXT,
    created_at  TEXT   NOT NULL,
    finished_at TEXT,
    idempotency_key TEXT UNIQUE
);
CREATE INDEX batches_name ON batches (name, number);
CREATE INDEX batches_open ON batches (number) WHERE finished_at IS NULL;

CREATE TABLE schedules (
    name          TEXT    PRIMARY KEY,
    cron          TEXT,
    zone          TEXT    NOT NULL,
    spec          TEXT    NOT NULL,
    enabled       BOOLEAN NOT NULL,
    sealed_secret BYTEA,
    created_at    TEXT    NOT NULL,
    next_at       TEXT,
    last_at       TEXT
);

CREATE TABLE hosts (
    name    TEXT PRIMARY KEY,
    seen_at TEXT NOT NULL,
    devices TEXT NOT NULL
);
