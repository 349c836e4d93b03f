import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type TaskScope, taskQuery } from "../../api/queries/tasks.ts";
import { TextDiff } from "../../ui/text-diff.tsx";
import type { StoredTask } from "./use-task-base.ts";

/** What is stored now beside what would be. */
export function SaveConflict({ scope, name, mine }: { scope: TaskScope; name: string; mine: string }) {
  const client = useQueryClient();
  const [theirs, setTheirs] = useState<StoredTask>();
  if (theirs === undefined) void client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 }).then(setTheirs, () => undefined);
  return (
    <>
      <Text role="alert" c="var(--status-failed)">
        {theirs?.task.changelog?.author ?? "Somebody else"} has saved {theirs ? `version ${theirs.task.version}` : "another state"} since
        you began. Saving makes yours the latest; this is what it would change of theirs:
      </Text>
      {theirs && <TextDiff label="What saving would change of theirs" before={theirs.text} after={mine} language="yaml" />}
    </>
  );
}
