import { useQuery } from "@tanstack/react-query";
import { actionSummaryQuery } from "../../api/queries/actions.ts";
import { t } from "../../texts/actions.ts";

/** How many wait, and how much of all that was asked has been decided. */
export function ActionsSummary({ team }: { team: string }) {
  const { data } = useQuery(actionSummaryQuery(team));
  if (data === undefined) return <>{t("actionsSummary.waitingPeople")}</>;
  const some = (count: number, one: string, many: string) => `${count.toLocaleString()} ${count === 1 ? one : many}`;
  return (
    <>
      {t("actionsSummary.decided", {
        some: some(data.approvals, t("actionsSummary.openApproval"), t("actionsSummary.openApprovals")),
        some2: some(data.manual, t("actionsSummary.openManualTask"), t("actionsSummary.openManualTasks")),
        approvalsRate: data.approvalsRate,
      })}
    </>
  );
}
