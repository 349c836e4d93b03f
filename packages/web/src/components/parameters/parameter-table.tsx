import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Parameter } from "../../api/queries/parameters.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { ParameterDialog } from "./parameter-dialog.tsx";
import { ParameterRows } from "./parameter-rows.tsx";
import { useParameters } from "./use-parameters.ts";

/**
 * Parameters and secrets of a team, or of the instance where no team is given: list, add, change, delete. A secret is written and
 * never read.
 */
export function ParameterTable({ team }: { team?: string }) {
  const { query, save, remove, whyNotWrite, whyNotDelete } = useParameters(team);
  const parameters = query.data;
  const [edited, setEdited] = useState<Parameter | "new">();
  const [deleted, setDeleted] = useState<Parameter>();
  const layer = team === undefined ? "global" : "team";
  const add = (
    <ActionButton size="xs" whyNot={whyNotWrite} onClick={() => setEdited("new")}>
      Add parameter
    </ActionButton>
  );
  if (parameters === undefined) return <NotLoaded query={query} label="Loading parameters" />;
  return (
    <Stack gap="sm">
      {parameters.length === 0 ? (
        <EmptyState title="No parameters yet">
          <Text className="quiet">
            Shared values and secrets. Tasks refer to them by <code>$({layer}.params.NAME)</code>.
          </Text>
          {add}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="sm" className="quiet">
              Runs use the values at submission time. Secrets are encrypted and can't be viewed again.
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
        action="Delete parameter"
        isDangerous
        onConfirm={() => remove(deleted?.name ?? "")}
      >
        Runs submitted from now on can't resolve references to it. Their tasks still run, with a warning.
      </ConfirmDialog>
    </Stack>
  );
}
