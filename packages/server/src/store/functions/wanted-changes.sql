-- Does anybody at all want this kind, in any team? The triggers of changes ask it for each statement that changes runs, so it must cost next to
-- nothing when nobody does: one look at an index that is empty then, three for runs (3 µs to 6 µs).
create or replace function is_kind_wanted(of_kind text) returns boolean
  language plpgsql stable
  as $$
  begin
    return exists (select from subscription s where s.is_active and of_kind = any(s.kinds))
      or (of_kind = 'workflowrun' and (
        exists (select from workflow w where w.deleted_at is null and w.triggers -> 'workflow' ->> 'enabled' = 'true')
        or exists (select from codehost_report)));
  end
  $$;

-- Does anybody want changes of this kind in this team? A run that is reported to the codehost makes it true for the whole team; the
-- trigger then looks at the single run.
create or replace function is_change_wanted(of_team uuid, of_kind text) returns boolean
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    return exists (select from subscription s where s.team_id = of_team and s.is_active and of_kind = any(s.kinds))
      or exists (select from subscription s where s.team_id is null and s.is_active and of_kind = any(s.kinds))
      or (of_kind = 'workflowrun' and (
        exists (select from workflow w where w.team_id = of_team and w.deleted_at is null and w.triggers -> 'workflow' ->> 'enabled' = 'true')
        or exists (select from codehost_report c where c.team_id = of_team)));
  end
  $$;
