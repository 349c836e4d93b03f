import { IconAlarm, IconBan, IconCircleCheckFilled, IconCircleXFilled, IconHourglass } from "@tabler/icons-react";
import type { Action } from "../../api/queries/actions.ts";
import { t } from "../../texts/actions.ts";
import { type ToneLook, ToneMark } from "../../ui/mark/status-mark.tsx";

const looks: Readonly<Record<Action["status"], ToneLook>> = {
  submitted: { word: t("actionMark.open"), tone: "waiting", icon: IconHourglass },
  approved: { word: t("actionMark.approved"), tone: "succeeded", icon: IconCircleCheckFilled },
  rejected: { word: t("actionMark.rejected"), tone: "failed", icon: IconCircleXFilled },
  cancelled: { word: t("actionMark.cancelled"), tone: "cancelled", icon: IconBan },
};

const overdue: ToneLook = { word: t("actionMark.overdue"), tone: "failed", icon: IconAlarm };

/** The status of an action by shape, word and colour, with the number of approvals so far if more than one is needed. */
export function ActionMark({ action: { status, approvalsRequired, numberOfApprovals } }: { action: Action }) {
  const votes =
    status === "submitted" && approvalsRequired > 1
      ? ` · ${t("actionMark.votes", { given: numberOfApprovals, required: approvalsRequired })}`
      : "";
  return <ToneMark look={looks[status]} more={votes} />;
}

/** The same for a status without its action. */
export function StatusOfAction({ status }: Pick<Action, "status">) {
  return <ToneMark look={looks[status]} />;
}

/** Overdue: a reminder has come due and the action is still open. */
const isOverdue = ({ status, reminderCount }: Action): boolean => status === "submitted" && reminderCount > 0;

export function OverdueMark({ action }: { action: Action }) {
  if (!isOverdue(action)) return null;
  return <ToneMark look={overdue} title={t("actionMark.reminderRemindersSent", { reminderCount: action.reminderCount })} />;
}
