import { useQuery } from "@tanstack/react-query";
import { actionSummaryQuery } from "../../api/queries/actions.ts";

/** How many wait, and how much of all that was asked has been decided. */
export function ActionsSummary({ team }: { team: string }) {
  const { data } = useQuery(actionSummaryQuery(team));
  if (data === undefined) return <>Waiting for people</>;
  const some = (count: number, one: string, many: string) => `${count.toLocaleString()} ${count === 1 ? one : many}`;
  return (
    <>
      {some(data.approvals, "open approval", "open approvals")} · {some(data.manual, "open manual task", "open manual tasks")} ·{" "}
      {data.approvalsRate} % decided
    </>
  );
}
