-- A caller's own name for a submission: handed in twice it is one run.
ALTER TABLE runs ADD COLUMN idempotency_key TEXT;
CREATE UNIQUE INDEX runs_idempotency ON runs (idempotency_key) WHERE idempotency_key IS NOT NULL;

-- What is held against a device; one that is sound has no row.
CREATE TABLE standings (
    serial   TEXT PRIMARY KEY,
    standing TEXT NOT NULL CHECK (standing IN ('suspect', 'quarantined')),
    reason   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
