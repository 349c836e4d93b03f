import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { bulkPlanQuery } from "../../../api/queries/run/reruns.ts";
import type { RunListFilter } from "../../../api/queries/run/run-bulk.ts";
import { outcomeOf } from "../../../texts/language.ts";
import { t } from "../../../texts/run/rerun.ts";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";

export type RerunVersion = "same" | "latest";

interface BulkRerunPlanProps {
  team: string;
  filter: RunListFilter;
  version: RerunVersion;
  onVersion: (version: RerunVersion) => void;
}

/** Shows what a rerun of all these runs would do, with the selected version of the workflow. */
export function BulkRerunPlan({ team, filter, version, onVersion }: BulkRerunPlanProps) {
  const query = useQuery(bulkPlanQuery(team, filter, version));
  const plan = query.data;
  return (
    <>
      <Select
        label={t("bulkPlan.version")}
        data={[
          { value: "same", label: t("bulkPlan.same") },
          { value: "latest", label: t("bulkPlan.latest") },
        ]}
        value={version}
        allowDeselect={false}
        onChange={(chosen) => onVersion(chosen === "latest" ? "latest" : "same")}
      />
      <NotLoaded query={query} label={t("bulkPlan.loading")} rows={2} />
      {plan && (
        <div role="status">
          <Text>{t(plan.looked === plan.total ? "bulkPlan.all" : "bulkPlan.some", plan)}</Text>
          <Text size="sm" className="quiet">
            {t("bulkPlan.tasks", countTasks(plan.tasks))}
          </Text>
          {plan.messages.slice(0, 3).map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same
            <Text key={index} size="sm" className="quiet">
              {outcomeOf(message)}
            </Text>
          ))}
        </div>
      )}
    </>
  );
}

function countTasks({ reused = 0, marked: _, ...again }: Record<string, number>): { again: number; reused: number } {
  return { reused, again: Object.values(again).reduce((sum, count) => sum + count, 0) };
}
