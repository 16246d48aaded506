-- Many runs handed in together: a night. `spec` is what was asked for, `tally` what came of it, both JSON.
CREATE TABLE batches (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    batch_id    TEXT    NOT NULL UNIQUE,
    name        TEXT    NOT NULL,
    schedule    TEXT,
    trigger_by  TEXT    NOT NULL,
    commit_id   TEXT,
    app_before  TEXT,
    app_after   TEXT,
    spec        TEXT    NOT NULL,
    tally       TEXT,
    created_at  TEXT    NOT NULL,
    finished_at TEXT,
    idempotency_key TEXT UNIQUE
) STRICT;
CREATE INDEX batches_name ON batches (name, number);
CREATE INDEX batches_open ON batches (number) WHERE finished_at IS NULL;

-- When nights begin of themselves. `sealed_secret` is the webhook's, sealed by the daemon.
CREATE TABLE schedules (
    name          TEXT PRIMARY KEY,
    cron          TEXT,
    zone          TEXT    NOT NULL,
    spec          TEXT    NOT NULL,
    enabled       INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    sealed_secret BLOB,
    created_at    TEXT    NOT NULL,
    next_at       TEXT,
    last_at       TEXT
) STRICT, WITHOUT ROWID;

-- Daemons that share this database, with the devices each has (JSON).
CREATE TABLE hosts (
    name    TEXT PRIMARY KEY,
    seen_at TEXT NOT NULL,
    devices TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Of which night a run is and for what, which host holds it, and how long that is believed without a sign of life.
ALTER TABLE runs ADD COLUMN batch_id TEXT;
ALTER TABLE runs ADD COLUMN place TEXT;
ALTER TABLE runs ADD COLUMN host TEXT;
ALTER TABLE runs ADD COLUMN lease_until TEXT;
CREATE INDEX runs_batch ON runs (batch_id, number) WHERE batch_id IS NOT NULL;
CREATE INDEX runs_case ON runs (case_id, number);
CREATE INDEX runs_state ON runs (state, number);
