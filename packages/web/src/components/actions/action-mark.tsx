import { IconAlarm, IconBan, IconCircleCheckFilled, IconCircleXFilled, IconHourglass } from "@tabler/icons-react";
import type { Action } from "../../api/queries/actions.ts";
import { type ToneLook, ToneMark } from "../../ui/mark/tone-mark.tsx";

const looks: Readonly<Record<Action["status"], ToneLook>> = {
  submitted: { word: "Open", tone: "waiting", icon: IconHourglass },
  approved: { word: "Approved", tone: "succeeded", icon: IconCircleCheckFilled },
  rejected: { word: "Rejected", tone: "failed", icon: IconCircleXFilled },
  cancelled: { word: "Cancelled", tone: "cancelled", icon: IconBan },
};

const overdue: ToneLook = { word: "Overdue", tone: "failed", icon: IconAlarm };

/** How an action stands, by shape, word and colour; with the approvals so far where more than one is needed. */
export function ActionMark({ action: { status, approvalsRequired, numberOfApprovals } }: { action: Action }) {
  const votes = status === "submitted" && approvalsRequired > 1 ? ` · ${numberOfApprovals} of ${approvalsRequired}` : "";
  return <ToneMark look={looks[status]} more={votes} />;
}

/** A reminder has come due and nobody has decided. */
const isOverdue = ({ status, reminderCount }: Action): boolean => status === "submitted" && reminderCount > 0;

export function OverdueMark({ action }: { action: Action }) {
  if (!isOverdue(action)) return null;
  return <ToneMark look={overdue} title={`${action.reminderCount} ${action.reminderCount === 1 ? "reminder" : "reminders"} sent`} />;
}
