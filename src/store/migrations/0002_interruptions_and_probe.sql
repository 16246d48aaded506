-- How often the daemon died while the run was under way: such a run is made again, but not for ever.
ALTER TABLE runs ADD COLUMN interruptions INTEGER NOT NULL DEFAULT 0;

-- One row that is written to find out whether the database takes anything again after it failed.
CREATE TABLE probe (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    ballast BLOB    NOT NULL
) STRICT;
