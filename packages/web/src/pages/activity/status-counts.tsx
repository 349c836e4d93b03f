import { UnstyledButton } from "@mantine/core";
import { type Status, statuses } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import { activityCountsQuery, type RunsFilter } from "../../api/queries/activity.ts";
import { t } from "../../texts/activity.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import classes from "./activity.module.css";

/** What is seen without any runs of it. */
const always: readonly Status[] = ["running", "waiting", "succeeded", "failed"];

interface StatusCountsProps {
  team: string;
  filter: RunsFilter;
  onChange: (statuses: string[]) => void;
}

/** How many runs there are of each status, and a press away those runs alone; several can be on at once. */
export function StatusCounts({ team, filter, onChange }: StatusCountsProps) {
  const { data } = useQuery(activityCountsQuery(team, filter));
  const chosen = filter.statuses ?? [];
  // The service counts without triggers and phases: with those, numbers would say more than the table shows.
  const counts = filter.phase === undefined && filter.triggers === undefined ? data?.status : undefined;
  const shown = statuses.filter((status) => always.includes(status) || chosen.includes(status) || (data?.status[status] ?? 0) > 0);
  const toggle = (status: Status) => onChange(chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes.counts} role="group" aria-label={t("statusCounts.status")}>
      <UnstyledButton className={classes.count} aria-pressed={chosen.length === 0} onClick={() => onChange([])}>
        {t.rich("statusCounts.all", { count: () => <Count count={counts?.["all"]} /> })}
      </UnstyledButton>
      {shown.map((status) => (
        <UnstyledButton key={status} className={classes.count} aria-pressed={chosen.includes(status)} onClick={() => toggle(status)}>
          <StatusMark status={status} /> <Count count={counts?.[status]} />
        </UnstyledButton>
      ))}
    </div>
  );
}

function Count({ count }: { count: number | undefined }) {
  return count === undefined ? null : <span className={classes.number}>{count.toLocaleString()}</span>;
}
