import { UnstyledButton } from "@mantine/core";
import type { Status } from "@millrace/contract/status.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/run.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";

/** How many tasks stand how; each leads to the list of them. */
export function StatusCounts() {
  const { tasks } = useRunView();
  const [{ status: shown }, setAddress] = useSearchState({ status: "", view: "graph" });
  const counts = new Map<Status, number>();
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  return (
    <div className={classes.counts}>
      {[...counts].map(([status, count]) => (
        <UnstyledButton
          key={status}
          className={classes.count ?? ""}
          aria-pressed={shown === status}
          aria-label={t("statusCounts.showThem", { word: statusLook(status).word, count })}
          onClick={() => setAddress(shown === status ? { status: "" } : { status, view: "list" })}
        >
          <StatusMark status={status} isBare /> {count.toLocaleString("en")}
        </UnstyledButton>
      ))}
    </div>
  );
}
