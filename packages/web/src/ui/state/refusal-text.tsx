import { Text } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";

/** What the service refused, in its own words, where it was asked. Nothing while there is no refusal. */
export function RefusalText({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {messageOf(error)}
    </Text>
  );
}
