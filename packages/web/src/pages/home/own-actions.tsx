import { Button, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { OverdueMark } from "../../components/actions/action-mark.tsx";
import { paths } from "../../paths.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./home.module.css";

/** What waits for who looks at it, in all of his teams, the oldest first. */
export function OwnActions({ actions }: { actions: Overview["actions"] }) {
  return (
    <section aria-label="Needs your attention">
      <Title order={2}>Needs your attention</Title>
      {actions.length === 0 && (
        <Text size="sm" className="quiet">
          Nothing needs your attention. Approvals and manual tasks that you can decide appear here.
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
                {action.workflowName} · {action.teamName} · opened <TimeText at={action.creationDate} />
                {action.deadline && (
                  <>
                    {" "}
                    · deadline <TimeText at={action.deadline} />
                  </>
                )}
              </Text>
            </div>
            <Button
              component={Link}
              to={paths.action(action.teamName, action.id)}
              size="compact-sm"
              variant="default"
              aria-label={`Decide ${action.taskName} of ${action.workflowName}`}
            >
              Decide
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
