import { Tooltip } from "@mantine/core";
import { type TriggerKind, triggerLooks } from "../../components/trigger-look.ts";
import { t } from "../../texts/workflows.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import classes from "./workflows.module.css";

/** Active or not, by word and shape. */
export function ActiveState({ isActive }: { isActive: boolean }) {
  return isActive ? <StateMark tone="on" word={t("rowParts.active")} /> : <StateMark tone="rest" word={t("rowParts.inactive")} />;
}

/** What may start it. */
export function TriggerMarks({ kinds }: { kinds: readonly string[] }) {
  if (kinds.length === 0) return <span className="quiet">{t("rowParts.none")}</span>;
  return (
    <span className={classes.triggers}>
      {kinds.map((kind) => {
        const look = triggerLooks[kind as TriggerKind];
        if (look === undefined) return null;
        return (
          <Tooltip key={kind} label={look.word}>
            <span>
              <look.icon size={16} stroke={1.75} aria-hidden />
              <span className="only-heard">{look.word}</span>
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}

/** The share of the latest runs that succeeded, of those that have ended. */
export function SuccessRate({ rate }: { rate: number | undefined }) {
  if (rate === undefined) return <span className="quiet">–</span>;
  return (
    <span className={classes.rate} data-low={rate < 0.8 || undefined}>
      {Math.floor(rate * 100)} %
    </span>
  );
}

/** Labels that can be pressed to see only what has them. */
export function LabelMarks({ labels, onChoose }: { labels: readonly string[]; onChoose?: (label: string) => void }) {
  if (labels.length === 0) return null;
  return (
    <span className={classes.labels}>
      {labels.slice(0, 4).map((label) => (
        <button
          key={label}
          type="button"
          className={classes.label}
          title={t("rowParts.showOnly", { label })}
          onClick={() => onChoose?.(label)}
        >
          {label}
        </button>
      ))}
      {labels.length > 4 && <span className="quiet">+{labels.length - 4}</span>}
    </span>
  );
}
