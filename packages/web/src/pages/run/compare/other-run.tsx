import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { activityQuery } from "../../../api/queries/run/activity.ts";
import type { Run } from "../../../api/queries/run/runs.ts";
import { shortId } from "../../../components/run-words.ts";
import { t } from "../../../texts/run/run-compare.ts";
import { statusLook } from "../../../ui/mark/status-mark.tsx";
import { exactTime } from "../../../ui/time/time-format.ts";

const one = { page: 0, limit: 1 };

/**
 * The run to compare with: the one named in the URL, otherwise the last successful one before this run, otherwise the last one before it.
 * @returns undefined when there is none; `isLooking` until that is known
 */
export function useOtherRun(team: string, run: Run, named: string): { id: string | undefined; isLooking: boolean } {
  const before = { workflows: [run.workflowRef], to: run.creationDate };
  const isAsked = named === "";
  const success = useQuery({ ...activityQuery(team, { ...before, statuses: ["succeeded"] }, one), enabled: isAsked });
  const found = success.data?.content[0]?.id;
  const last = useQuery({ ...activityQuery(team, before, one), enabled: isAsked && success.data?.empty === true });
  return {
    id: isAsked ? (found ?? last.data?.content[0]?.id) : named,
    isLooking: isAsked && found === undefined && (success.isPending || last.isLoading),
  };
}

interface OtherRunProps {
  team: string;
  run: Run;
  other: string | undefined;
  onChoose: (id: string) => void;
}

/** Selects one of the latest runs of the workflow. */
export function OtherRun({ team, run, other, onChoose }: OtherRunProps) {
  const { data } = useQuery(activityQuery(team, { workflows: [run.workflowRef] }, { page: 0, limit: 50 }));
  const listed = (data?.content ?? []).filter(({ id }) => id !== run.id);
  const choices = listed.map(({ id, status, phase, waitKinds, creationDate }) => ({
    value: id,
    label: t("otherRun.choice", { id: shortId(id), status: statusLook(status, phase, waitKinds).word, at: exactTime(creationDate) }),
  }));
  const isListed = other === undefined || choices.some(({ value }) => value === other);
  return (
    <Select
      size="xs"
      w={380}
      maw="100%"
      searchable
      label={t("otherRun.compareWith")}
      data={isListed ? choices : [{ value: other, label: shortId(other) }, ...choices]}
      value={other ?? null}
      allowDeselect={false}
      nothingFoundMessage={t("otherRun.noRun")}
      onChange={(chosen) => chosen && onChoose(chosen)}
    />
  );
}
