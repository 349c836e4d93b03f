import { ActionIcon, CopyButton, Group, Table, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy, IconLock } from "@tabler/icons-react";
import type { Parameter } from "../../api/queries/parameters.ts";
import { kindWord } from "../../forms/parameter-kinds.ts";
import { EditAndDelete } from "../../ui/dialog/edit-and-delete.tsx";
import { TableBox } from "../../ui/table/table-box.tsx";
import { isSecret, valueText } from "./parameter-types.ts";
import classes from "./parameters.module.css";

interface ParameterRowsProps {
  parameters: readonly Parameter[];
  layer: "team" | "global";
  whyNotWrite: string | undefined;
  whyNotDelete: string | undefined;
  onEdit: (parameter: Parameter) => void;
  onDelete: (parameter: Parameter) => void;
}

/** By name. A secret shows only that there is one. */
export function ParameterRows({ parameters, layer, whyNotWrite, whyNotDelete, onEdit, onDelete }: ParameterRowsProps) {
  const sorted = [...parameters].sort((one, other) => one.name.localeCompare(other.name));
  return (
    <TableBox label="Parameters" miw={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th>Value</Table.Th>
          <Table.Th>
            <span className="only-heard">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map((parameter) => (
          <Table.Tr key={parameter.name}>
            <Table.Td>
              <Name parameter={parameter} layer={layer} />
            </Table.Td>
            <Table.Td className={classes.nowrap}>
              {kindWord(parameter.type)}
              {parameter.teams && (
                <Text size="xs" className="quiet">
                  {teamsText(parameter.teams)}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Value parameter={parameter} />
            </Table.Td>
            <Table.Td>
              <EditAndDelete
                of={parameter.name}
                whyNotEdit={whyNotWrite}
                whyNotDelete={whyNotDelete}
                onEdit={() => onEdit(parameter)}
                onDelete={() => onDelete(parameter)}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableBox>
  );
}

/** Which teams can use a global one, where it is not all. */
function teamsText(teams: readonly string[] | undefined): string | undefined {
  if (teams === undefined) return undefined;
  return teams.length === 0 ? "Not available to any team" : `Only ${teams.length === 1 ? "1 team" : `${teams.length} teams`}`;
}

function Name({ parameter: { name, label, description }, layer }: { parameter: Parameter; layer: string }) {
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
