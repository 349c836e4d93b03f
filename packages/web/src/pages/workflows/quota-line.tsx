import type { components } from "../../api/schema.generated.ts";
import { t } from "../../texts/workflows.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./workflows.module.css";

type Quotas = components["schemas"]["CurrentQuotas"];

/** How much of the team's quotas is used: one line, loud only where little is left. */
export function QuotaLine({ quotas }: { quotas: Quotas }) {
  return (
    <ul className={classes.quotas} aria-label={t("quotaLine.teamQuotas")}>
      <Used now={quotas.currentWorkflowCount} most={quotas.maxWorkflowCount} what={t("quotaLine.workflows")} />
      <Used now={quotas.currentRuns} most={quotas.maxWorkflowRunMonthly} what={t("quotaLine.runsMonth")}>
        {" "}
        {t.rich("quotaLine.resets", { time: () => <TimeText at={quotas.monthlyResetDate} /> })}
      </Used>
      <Used now={quotas.currentConcurrentRuns} most={quotas.maxConcurrentRuns} what={t("quotaLine.runningNow")} />
    </ul>
  );
}

interface UsedProps {
  now: number;
  most: number | null | undefined;
  what: string;
  children?: React.ReactNode;
}

/** As many as nobody reaches. */
const unlimited = 1_000_000_000;

function Used({ now, most, what, children }: UsedProps) {
  const has = most !== null && most !== undefined && most < unlimited;
  const isScarce = has && now >= most * 0.9 && most > 0;
  return (
    <li data-scarce={isScarce || undefined}>
      {has ? t("quotaLine.of", { now, most }) : now.toLocaleString()} {what}
      {isScarce && ` ${t(now < most ? "quotaLine.nearlyUsedUp" : "quotaLine.usedUp")}`}
      {children}
    </li>
  );
}
