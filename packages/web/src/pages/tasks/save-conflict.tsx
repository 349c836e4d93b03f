import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type TaskScope, taskQuery } from "../../api/queries/tasks.ts";
import { TextDiff } from "../../ui/text-diff.tsx";
import type { StoredTask } from "./use-task-base.ts";

/** What is stored now; undefined until it is there, and while nobody needs it. */
export function useTheirs(scope: TaskScope, name: string, isNeeded: boolean): StoredTask | undefined {
  const client = useQueryClient();
  const [theirs, setTheirs] = useState<StoredTask>();
  useEffect(() => {
    if (!isNeeded) return setTheirs(undefined);
    void client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 }).then(setTheirs, () => undefined);
  }, [client, scope, name, isNeeded]);
  return theirs;
}

/** What is stored now beside what would be. */
export function SaveConflict({ theirs, mine }: { theirs: StoredTask | undefined; mine: string }) {
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
