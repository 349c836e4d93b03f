import type { components } from "../../api/schema.generated.ts";
import { t } from "../../texts/run.ts";
import { Fold } from "../../ui/fold.tsx";
import { countWarnings } from "../../ui/state/warning-mark.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";

/** What the run did not do as its author may have meant it, with the task that it is about. */
export function RunWarnings() {
  const { run, tasks, choose } = useRunView();
  const { warnings = [], warningCount } = run;
  if (warnings.length === 0) return null;
  const open = (name: string) => {
    const task = tasks.find((one) => one.name === name);
    if (task) choose(task.id, "details");
  };
  return (
    <section className={classes.notice} data-tone="waiting" aria-label={t("runWarnings.warnings")}>
      <Fold title={countWarnings(warningCount)}>
        <ul className={classes.warnings}>
          {warnings.map((warning, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list has an order and no other identity
            <li key={index}>
              <Warning warning={warning} onOpen={open} />
            </li>
          ))}
        </ul>
        {warningCount > warnings.length && (
          <p className="quiet">{t("runWarnings.more", { warningCount: warningCount - warnings.length })}</p>
        )}
      </Fold>
    </section>
  );
}

function Warning({ warning, onOpen }: { warning: components["schemas"]["RunWarning"]; onOpen: (task: string) => void }) {
  const { task, reference, why } = warning;
  return (
    <>
      {task !== undefined && (
        <button type="button" className={classes.open} onClick={() => onOpen(task)}>
          {task}
        </button>
      )}{" "}
      <code>{reference}</code>: {why}
    </>
  );
}
