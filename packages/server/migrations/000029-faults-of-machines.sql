alter table worker
  add column faults jsonb not null default '{}';   -- by kind of executor: why it does not work now, where that is a fault of the machine
