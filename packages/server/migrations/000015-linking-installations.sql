-- The hour after an installation was made, in which who may write a team's integrations may link it. Those that are here already are known to
-- nobody as new: an administrator links them.
alter table installation add column linkable_until timestamptz(3);
