import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { type TaskScope, taskQuery } from "../../../api/queries/tasks.ts";
import { t } from "../../../texts/tasks.ts";
import { TextDiff } from "../../../ui/code/text-diff.tsx";
import { ErrorState } from "../../../ui/state/error-state.tsx";
import type { StoredTask } from "./use-task-base.ts";

interface Theirs {
  /** What is stored now; undefined until it is there, and while nobody needs it. */
  stored: StoredTask | undefined;
  error: unknown;
  retry: () => void;
}

/** Asked for when a save was refused because somebody else was faster. */
export function useTheirs(scope: TaskScope, name: string, isNeeded: boolean): Theirs {
  const client = useQueryClient();
  const [stored, setStored] = useState<StoredTask>();
  const [error, setError] = useState<unknown>();
  const ask = useCallback(() => {
    setError(undefined);
    client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 }).then(setStored, setError);
  }, [client, scope, name]);
  useEffect(() => {
    setStored(undefined);
    if (isNeeded) ask();
  }, [isNeeded, ask]);
  return { stored, error, retry: ask };
}

/** What is stored now beside what would be. */
export function SaveConflict({ theirs: { stored: theirs, error, retry }, mine }: { theirs: Theirs; mine: string }) {
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      <Text role="alert" c="var(--status-failed)">
        {t("saveConflict.savedMeanwhile", {
          author: theirs?.task.changelog?.author ?? t("saveConflict.someoneElse"),
          version: theirs === undefined ? "none" : String(theirs.task.version),
        })}
      </Text>
      {theirs && <TextDiff label={t("saveConflict.whatSavingChanges")} before={theirs.text} after={mine} language="yaml" />}
    </>
  );
}
