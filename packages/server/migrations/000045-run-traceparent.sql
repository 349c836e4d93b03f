-- The place in a trace from which a run was asked for (W3C Trace Context), as its caller sent it.
alter table run add column traceparent text;
