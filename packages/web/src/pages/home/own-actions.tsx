import { Button, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { OverdueMark } from "../../components/actions/action-mark.tsx";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./home.module.css";

/** What waits for who looks at it, in all of his teams, the oldest first. */
export function OwnActions({ actions }: { actions: Overview["actions"] }) {
  return (
    <section aria-label={t("ownActions.needsAttention")}>
      <Title order={2}>{t("ownActions.needsAttention")}</Title>
      {actions.length === 0 && (
        <Text size="sm" className="quiet">
          {t("ownActions.nothingNeedsAttention")}
        </Text>
      )}
      <ul className={classes.list}>
        {actions.map((action) => (
          <li key={action.id} className={classes.action}>
            <div className={classes.what}>
              <Link to={paths.action(action.teamName, action.id)} className={classes.name}>
                {action.taskName}
              </Link>{" "}
              <OverdueMark action={action} />
              <Text size="xs" className="quiet">
                {t.rich("ownActions.opened", {
                  workflowName: action.workflowName,
                  teamName: action.teamName,
                  time: () => <TimeText at={action.creationDate} />,
                })}
                {action.deadline && <> {t.rich("ownActions.deadline", { time: () => <TimeText at={action.deadline} /> })}</>}
              </Text>
            </div>
            <Button
              component={Link}
              to={paths.action(action.teamName, action.id)}
              size="compact-sm"
              variant="default"
              aria-label={t("ownActions.decideAction", { taskName: action.taskName, workflowName: action.workflowName })}
            >
              {t("ownActions.decide")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
