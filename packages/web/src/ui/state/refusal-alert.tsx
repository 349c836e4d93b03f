import { Alert, Text } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { IconAlertTriangle } from "@tabler/icons-react";
import { messageOf } from "../../api/api-error.ts";
import classes from "./problem-list.module.css";

/** Why something failed, in the service's words; if there are several errors, one per path. */
export function RefusalAlert({ title, error }: { title: string; error: unknown }) {
  const places = error instanceof ApiError && error.errors.length > 1 ? error.errors : [];
  return (
    <Alert color="red" variant="outline" role="alert" title={title}>
      {messageOf(error)}
      {places.length > 0 && (
        <ul>
          {places.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

/** The service's error, at the place of the action. Renders nothing while there is no error. */
export function RefusalText({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {messageOf(error)}
    </Text>
  );
}

/** The problems that would lead to a rejection, one sentence each. */
export function ProblemList({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.problems}>
      {problems.map((problem) => (
        <li key={problem}>
          <IconAlertTriangle size={14} aria-hidden />
          {problem}
        </li>
      ))}
    </ul>
  );
}
