-- One row per run. `number` is the order of submission and breaks ties within a priority; it survives a requeue, so
-- that a run which lost its device keeps its place. Parameter values are never written: they may be secrets.
CREATE TABLE runs (
    number          INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id          TEXT    NOT NULL UNIQUE,
    case_id         TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('queued', 'leased', 'running', 'finished', 'cancelled')),
    priority        INTEGER NOT NULL DEFAULT 0,
    request         TEXT    NOT NULL,
    params_withheld INTEGER NOT NULL CHECK (params_withheld IN (0, 1)),
    wanted_device   TEXT,
    attempts        INTEGER NOT NULL DEFAULT 0,
    device          TEXT,
    verdict         TEXT    CHECK (verdict IN ('passed', 'failed', 'blocked', 'error')),
    reason          TEXT    NOT NULL DEFAULT '',
    result          TEXT,
    created_at      TEXT    NOT NULL,
    started_at      TEXT,
    finished_at     TEXT
) STRICT;

CREATE INDEX runs_queue ON runs (state, priority DESC, number);

-- The event stream of a run. `position` counts over all attempts; the event's own `seq` starts anew with each.
CREATE TABLE events (
    run_id   TEXT    NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    event    TEXT    NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;
