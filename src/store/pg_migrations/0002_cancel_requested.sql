-- The end of a run was asked for at another host than the one that holds it.
ALTER TABLE runs ADD COLUMN cancel_requested BOOLEAN NOT NULL DEFAULT FALSE;
