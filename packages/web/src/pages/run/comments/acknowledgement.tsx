import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import { messageOf } from "../../../api/api-error.ts";
import { acknowledge } from "../../../api/queries/run/run-comments.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/run/comments.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import classes from "../run.module.css";
import { useRunView } from "../run-context.tsx";

/** Who is looking into the failure of the run, so that two people don't do the same work. A click assigns or unassigns the viewer. */
export function Acknowledgement() {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const change = useApiMutation({
    changes: ["run", "runs", "run-counts"],
    team,
    evenRefused: true,
    mutationFn: (isMine: boolean) => acknowledge(team, run.id, isMine),
  });
  const { acknowledgement } = run;
  if (acknowledgement === undefined && (!isRunOver(run) || run.status === "succeeded")) return null;
  return (
    <div className={classes.notice} data-tone="plain">
      <div className={classes.words}>
        {acknowledgement === undefined ? (
          <span className="quiet">{t("acknowledgement.nobody")}</span>
        ) : (
          <>
            {t.rich("acknowledgement.by", {
              strong: () => <strong>{acknowledgement.byName}</strong>,
              time: () => <TimeText at={acknowledgement.date} />,
            })}
            {acknowledgement.text && `: ${acknowledgement.text}`}
          </>
        )}
        {change.error && <span role="alert"> {messageOf(change.error)}</span>}
      </div>
      <ActionButton
        size="compact-sm"
        variant="default"
        whyNot={rights.whyNot("workflowrun/action")}
        loading={change.isPending}
        onClick={() => change.mutate(acknowledgement === undefined)}
      >
        {acknowledgement === undefined ? t("acknowledgement.acknowledge") : t("acknowledgement.release")}
      </ActionButton>
    </div>
  );
}
