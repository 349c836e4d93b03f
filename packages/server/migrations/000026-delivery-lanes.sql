-- A lane has at most one pending delivery. What an earlier version left behind is put in order first: of several pending deliveries the
-- oldest stays, and a lane in which something waits behind nothing gets its first one.
update delivery d set status = 'waiting', due_at = null
where d.status = 'pending'
  and exists (select from delivery p
    where p.receiver_id = d.receiver_id and p.lane_id = d.lane_id and p.status = 'pending' and (p.event_seq, p.id) < (d.event_seq, d.id));

create unique index delivery_lane_pending on delivery (receiver_id, lane_id) where status = 'pending';

update delivery d set status = 'pending', due_at = db_now()
from (
  select distinct on (w.receiver_id, w.lane_id) w.id from delivery w
  where w.status = 'waiting'
    and not exists (select from delivery p where p.receiver_id = w.receiver_id and p.lane_id = w.lane_id and p.status = 'pending')
  order by w.receiver_id, w.lane_id, w.event_seq, w.id) head
where d.id = head.id;
