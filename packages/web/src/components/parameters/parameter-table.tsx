import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Parameter } from "../../api/queries/parameters.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { DeedButton } from "../../ui/deed-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { ParameterDialog } from "./parameter-dialog.tsx";
import { ParameterRows } from "./parameter-rows.tsx";
import { useParameters } from "./use-parameters.ts";

/** Parameters and secrets of a team, or of the instance where no team is given: list, add, change, delete. A secret is written and never read. */
export function ParameterTable({ team }: { team?: string }) {
  const { parameters, error, refetch, save, remove, whyNotWrite, whyNotDelete } = useParameters(team);
  const [edited, setEdited] = useState<Parameter | "new">();
  const [deleted, setDeleted] = useState<Parameter>();
  const layer = team === undefined ? "global" : "team";
  const add = (
    <DeedButton size="xs" whyNot={whyNotWrite} onClick={() => setEdited("new")}>
      Add a parameter
    </DeedButton>
  );
  if (parameters === undefined)
    return error === null ? <LoadingState label="Loading the parameters" /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="sm">
      {parameters.length === 0 ? (
        <EmptyState title="No parameters yet">
          <Text className="quiet">
            What many workflows use stands here once, secrets too: tasks refer to it by <code>$({layer}.params.NAME)</code>.
          </Text>
          {add}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="sm" className="quiet">
              Runs take the values when they are submitted. Secrets are sealed and never shown again.
            </Text>
            {add}
          </Group>
          <ParameterRows
            parameters={parameters}
            layer={layer}
            whyNotWrite={whyNotWrite}
            whyNotDelete={whyNotDelete}
            onEdit={setEdited}
            onDelete={setDeleted}
          />
        </>
      )}
      <ParameterDialog
        isGlobal={team === undefined}
        parameter={edited}
        taken={parameters.map(({ name }) => name)}
        save={save}
        onClose={() => {
          setEdited(undefined);
          save.reset();
        }}
      />
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={`Delete ${deleted?.name ?? ""}`}
        deed="Delete the parameter"
        isDangerous
        onConfirm={() => remove(deleted?.name ?? "")}
      >
        References to it lead nowhere in runs that are submitted from now on; the tasks run all the same, with a warning.
      </ConfirmDialog>
    </Stack>
  );
}
