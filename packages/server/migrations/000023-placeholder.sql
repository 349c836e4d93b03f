-- A place for another change that comes in at the same time: replaced by it, never released.
select 1;
