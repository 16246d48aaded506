-- Who may use the daemon from elsewhere: a token's secret is here only as an Argon2 hash.
CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    scope      TEXT NOT NULL CHECK (scope IN ('read', 'run', 'admin')),
    hash       TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
) STRICT, WITHOUT ROWID;

-- Who changed what, and who was refused.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at     TEXT    NOT NULL,
    actor  TEXT    NOT NULL,
    peer   TEXT    NOT NULL,
    action TEXT    NOT NULL,
    status INTEGER NOT NULL,
    detail TEXT    NOT NULL
) STRICT;
