-- What happened to a device, as far as a person wants to know it afterwards.
CREATE TABLE device_log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    serial TEXT    NOT NULL,
    at     TEXT    NOT NULL,
    phase  TEXT    NOT NULL,
    what   TEXT    NOT NULL
) STRICT;
CREATE INDEX device_log_serial ON device_log (serial, number);

-- Devices that a person has for a while: no run gets them.
CREATE TABLE reservations (
    serial     TEXT PRIMARY KEY,
    person     TEXT NOT NULL,
    note       TEXT NOT NULL,
    until_time TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a device's settings were before it was prepared (JSON), so that whoever ends its service can put them back.
CREATE TABLE device_originals (
    serial   TEXT PRIMARY KEY,
    settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a person made of a run that ended.
CREATE TABLE reviews (
    run_id   TEXT PRIMARY KEY REFERENCES runs (run_id) ON DELETE CASCADE,
    decision TEXT NOT NULL CHECK (decision IN ('approved', 'defect')),
    link     TEXT NOT NULL,
    comment  TEXT NOT NULL,
    person   TEXT NOT NULL,
    at       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_device ON runs (device, number) WHERE device IS NOT NULL;
