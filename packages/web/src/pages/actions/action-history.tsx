import { Title } from "@mantine/core";
import { IconBan, IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Action } from "../../api/queries/actions.ts";
import { t } from "../../texts/actions.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./action-page.module.css";

/** What happened, in its order: it was asked, people voted with their comments, it was over. */
export function ActionHistory({ action }: { action: Action }) {
  const { creationDate, actioners, status, reminderCount } = action;
  return (
    <section aria-label={t("actionHistory.history")}>
      <Title order={2} mb={4}>
        {t("actionHistory.history")}
      </Title>
      <ol className={classes.history}>
        <Step icon={<IconCircleDashed size={16} aria-hidden />}>
          {t.rich("actionHistory.opened", { time: () => <TimeText at={creationDate} /> })}
        </Step>
        {actioners.map((vote) => (
          <Step
            key={vote.approverId}
            tone={vote.approved ? "approved" : "rejected"}
            icon={vote.approved ? <IconCircleCheckFilled size={16} aria-hidden /> : <IconCircleXFilled size={16} aria-hidden />}
          >
            {t.rich(vote.approved ? "actionHistory.approved" : "actionHistory.rejected", {
              who: () => <strong>{vote.approverName || vote.approverEmail || t("actionHistory.token")}</strong>,
              time: () => <TimeText at={vote.date} />,
            })}
            {vote.comments && <blockquote className={classes.comment}>{vote.comments}</blockquote>}
          </Step>
        ))}
        {reminderCount > 0 && (
          <Step icon={<IconCircleDashed size={16} aria-hidden />}>{t("actionHistory.reminderHasRemindersHave", { reminderCount })}</Step>
        )}
        {status === "cancelled" && (
          <Step tone="cancelled" icon={<IconBan size={16} aria-hidden />}>
            {t("actionHistory.cancelledRunEndedNobody")}
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
