-- Values of a run's parameters, sealed by the daemon with a key that is not in the database; nothing once the run has ended.
ALTER TABLE runs ADD COLUMN sealed_params BLOB;
