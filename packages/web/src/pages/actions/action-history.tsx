import { Title } from "@mantine/core";
import { IconBan, IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Action } from "../../api/queries/actions.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./action-page.module.css";

/** What happened, in its order: it was asked, people voted with their comments, it was over. */
export function ActionHistory({ action }: { action: Action }) {
  const { creationDate, actioners, status, reminderCount } = action;
  return (
    <section aria-label="History">
      <Title order={2} mb={4}>
        History
      </Title>
      <ol className={classes.history}>
        <Step icon={<IconCircleDashed size={16} aria-hidden />}>
          Opened <TimeText at={creationDate} />
        </Step>
        {actioners.map((vote) => (
          <Step
            key={vote.approverId}
            tone={vote.approved ? "approved" : "rejected"}
            icon={vote.approved ? <IconCircleCheckFilled size={16} aria-hidden /> : <IconCircleXFilled size={16} aria-hidden />}
          >
            <strong>{vote.approverName || vote.approverEmail || "A token"}</strong> {vote.approved ? "approved" : "rejected"}{" "}
            <TimeText at={vote.date} />
            {vote.comments && <blockquote className={classes.comment}>{vote.comments}</blockquote>}
          </Step>
        ))}
        {reminderCount > 0 && (
          <Step icon={<IconCircleDashed size={16} aria-hidden />}>
            {reminderCount} {reminderCount === 1 ? "reminder has" : "reminders have"} come due
          </Step>
        )}
        {status === "cancelled" && (
          <Step tone="cancelled" icon={<IconBan size={16} aria-hidden />}>
            Cancelled: the run ended, or nobody decided in time
          </Step>
        )}
      </ol>
    </section>
  );
}

function Step({ icon, tone, children }: { icon: ReactNode; tone?: string; children: ReactNode }) {
  return (
    <li className={classes.step} data-tone={tone}>
      {icon}
      <div>{children}</div>
    </li>
  );
}
