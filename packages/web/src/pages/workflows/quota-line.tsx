import type { components } from "../../api/schema.generated.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./workflows.module.css";

type Quotas = components["schemas"]["CurrentQuotas"];

/** How much of the team's quotas is used: one line, loud only where little is left. */
export function QuotaLine({ quotas }: { quotas: Quotas }) {
  return (
    <ul className={classes.quotas} aria-label="Team quotas">
      <Used now={quotas.currentWorkflowCount} most={quotas.maxWorkflowCount} what="workflows" />
      <Used now={quotas.currentRuns} most={quotas.maxWorkflowRunMonthly} what="runs this month">
        {" "}
        (resets <TimeText at={quotas.monthlyResetDate} />)
      </Used>
      <Used now={quotas.currentConcurrentRuns} most={quotas.maxConcurrentRuns} what="running now" />
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
      {has ? `${now.toLocaleString()} of ${most.toLocaleString()}` : now.toLocaleString()} {what}
      {isScarce && now < most && " (nearly used up)"}
      {isScarce && now >= most && " (used up)"}
      {children}
    </li>
  );
}
