-- What SQLite has with its migration 8, in PostgreSQL's words.
CREATE TABLE device_log (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    serial TEXT   NOT NULL,
    at     TEXT   NOT NULL,
    phase  TEXT   NOT NULL,
    what   TEXT   NOT NULL
);
CREATE INDEX device_log_serial ON device_log (serial, number);

CREATE TABLE reservations (
    serial     TEXT PRIMARY KEY,
    person     TEXT NOT NULL,
    note       TEXT NOT NULL,
    until_time TEXT NOT NULL
);

CREATE TABLE device_originals (
    serial   TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);

CREATE TABLE reviews (
    run_id   TEXT PRIMARY KEY REFERENCES runs (run_id) ON DELETE CASCADE,
    decision TEXT NOT NULL CHECK (decision IN ('approved', 'defect')),
    link     TEXT NOT NULL,
    comment  TEXT NOT NULL,
    person   TEXT NOT NULL,
    at       TEXT NOT NULL
);

CREATE INDEX runs_device ON runs (device, number) WHERE device IS NOT NULL;
