-- The difference between the clocks of a node and of the database; null if the node does not measure it.
alter table node add column clock_drift_ms bigint;
