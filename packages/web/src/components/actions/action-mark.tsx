import { IconBan, IconCircleCheckFilled, IconCircleXFilled, IconHourglass } from "@tabler/icons-react";
import type { Action } from "../../api/queries/actions.ts";
import classes from "./action-mark.module.css";

const looks = {
  submitted: { word: "Open", icon: IconHourglass },
  approved: { word: "Approved", icon: IconCircleCheckFilled },
  rejected: { word: "Rejected", icon: IconCircleXFilled },
  cancelled: { word: "Cancelled", icon: IconBan },
} as const;

/** How an action stands, by shape, word and colour; with the approvals so far where more than one is needed. */
export function ActionMark({ action: { status, approvalsRequired, numberOfApprovals } }: { action: Action }) {
  const { word, icon: Icon } = looks[status];
  const votes = status === "submitted" && approvalsRequired > 1 ? ` · ${numberOfApprovals} of ${approvalsRequired}` : "";
  return (
    <span className={classes.mark} data-status={status}>
      <Icon size={14} aria-hidden />
      {word}
      {votes}
    </span>
  );
}

/** A reminder has come due and nobody has decided. */
const isOverdue = ({ status, reminderCount }: Action): boolean => status === "submitted" && reminderCount > 0;

export function OverdueMark({ action }: { action: Action }) {
  if (!isOverdue(action)) return null;
  return (
    <span className={classes.overdue} title={`${action.reminderCount} ${action.reminderCount === 1 ? "reminder" : "reminders"} so far`}>
      Overdue
    </span>
  );
}
