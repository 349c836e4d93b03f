import { ActionIcon, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy, IconLock } from "@tabler/icons-react";
import { useState } from "react";
import type { Parameter } from "../../api/queries/parameters.ts";
import { kindWord } from "../../forms/parameter-kinds.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { EditAndDelete } from "../../ui/dialog/edit-and-delete.tsx";
import { ListSection } from "../../ui/list/list-section.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { ParameterDialog } from "./parameter-dialog.tsx";
import { isSecret, valueText } from "./parameter-types.ts";
import classes from "./parameters.module.css";
import { useParameters } from "./use-parameters.ts";

type Layer = "team" | "global";

/**
 * Parameters and secrets of a team, or of the instance where no team is given: list, add, change, delete. A secret is written and
 * never read.
 */
export function ParameterSection({ team }: { team?: string }) {
  const { query, save, remove, whyNotWrite, whyNotDelete } = useParameters(team);
  const [edited, setEdited] = useState<Parameter | "new">();
  const [deleted, setDeleted] = useState<Parameter>();
  const parameters = query.data?.toSorted((one, other) => one.name.localeCompare(other.name));
  const known = edited === "new" ? undefined : edited;
  const layer: Layer = team === undefined ? "global" : "team";
  const add = (
    <ActionButton size="xs" whyNot={whyNotWrite} onClick={() => setEdited("new")}>
      Add parameter
    </ActionButton>
  );
  const hasSome = parameters !== undefined && parameters.length > 0;
  const actions: Column<Parameter> = {
    title: "Actions",
    kind: "actions",
    cell: (parameter) => (
      <EditAndDelete
        of={parameter.name}
        whyNotEdit={whyNotWrite}
        whyNotDelete={whyNotDelete}
        onEdit={() => setEdited(parameter)}
        onDelete={() => setDeleted(parameter)}
      />
    ),
  };
  return (
    <ListSection
      note={hasSome && "Runs use the values at submission time. Secrets are encrypted and can't be viewed again."}
      actions={hasSome && add}
    >
      <DataTable
        label="Parameters"
        minWidth={640}
        columns={[...parameterColumns(layer), actions]}
        query={query}
        rows={parameters}
        keyOf={({ name }) => name}
        empty={
          <EmptyState title="No parameters yet">
            <Text className="quiet">
              Shared values and secrets. Tasks refer to them by <code>$({layer}.params.NAME)</code>.
            </Text>
            {add}
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <ParameterDialog
          isGlobal={team === undefined}
          known={known}
          taken={(parameters ?? []).map(({ name }) => name)}
          onSave={(parameter) => save.mutateAsync({ parameter, isNew: known === undefined })}
          onClose={() => setEdited(undefined)}
        />
      )}
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
    </ListSection>
  );
}

/** A secret shows only that there is one. */
function parameterColumns(layer: Layer): Column<Parameter>[] {
  return [
    { title: "Name", cell: (parameter) => <Name parameter={parameter} layer={layer} /> },
    {
      title: "Type",
      kind: "short",
      cell: ({ type, teams }) => (
        <>
          {kindWord(type)}
          {teams && (
            <Text size="xs" className="quiet">
              {teamsText(teams)}
            </Text>
          )}
        </>
      ),
    },
    { title: "Value", cell: (parameter) => <Value parameter={parameter} /> },
  ];
}

/** Which teams can use a global one, where it is not all. */
function teamsText(teams: readonly string[]): string {
  return teams.length === 0 ? "Not available to any team" : `Only ${teams.length === 1 ? "1 team" : `${teams.length} teams`}`;
}

function Name({ parameter: { name, label, description }, layer }: { parameter: Parameter; layer: Layer }) {
  const reference = /^[\w -]+$/.test(name) ? `$(${layer}.params.${name})` : `$(${layer}.params['${name}'])`;
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" fw={500} className="code">
          {name}
        </Text>
        <CopyButton value={reference}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? "Copied" : `Copy ${reference}`}>
              <ActionIcon size="xs" variant="subtle" color="gray" aria-label={`Copy reference to ${name}`} onClick={copy}>
                {copied ? <IconCheck size={12} /> : <IconCopy size={12} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      {(label || description) && (
        <Text size="xs" className="quiet">
          {[label, description].filter(Boolean).join(" · ")}
        </Text>
      )}
    </>
  );
}

function Value({ parameter }: { parameter: Parameter }) {
  if (isSecret(parameter))
    return (
      <span className={classes.secret}>
        <IconLock size={14} aria-hidden /> {parameter.hiddenValue ? "Hidden" : "Not set"}
      </span>
    );
  const text = valueText(parameter.value ?? parameter.default);
  if (text === "") return <span className="quiet">Empty</span>;
  return (
    <div className={classes.value} title={text}>
      {text}
    </div>
  );
}
