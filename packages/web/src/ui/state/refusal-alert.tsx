import { Alert } from "@mantine/core";
import { ApiError, messageOf } from "../../api/api-error.ts";

/** Why something was not done, in the words of the service, place by place where there are several. */
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
