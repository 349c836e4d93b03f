import { Button, Checkbox, Group, Stack, Table, Text, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/identity/tokens.ts";
import { ScrollBox } from "../../ui/table/scroll-box.tsx";
import classes from "./permission-picker.module.css";
import { type Chosen, operations, presetOf, presets, resources, toWildcards } from "./token-permissions.ts";

interface PermissionPickerProps {
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
  /** Why the permission can't be granted; undefined if it can. A token never has more permissions than its creator. */
  whyNot: (permission: string) => string | undefined;
  error?: ReactNode;
}

/**
 * The permissions of a token: a table of resources and operations in which whole rows and columns can be selected, and the resulting
 * permission strings.
 */
export function PermissionPicker({ chosen, onChange, whyNot, error }: PermissionPickerProps) {
  const mayGive = (permission: string) => whyNot(permission) === undefined;
  const toggle = (some: readonly string[]) => {
    const possible = some.filter(mayGive);
    const next = new Set(chosen);
    if (possible.every((one) => chosen.has(one))) for (const one of possible) next.delete(one);
    else for (const one of possible) next.add(one);
    onChange(next);
  };
  const words = toWildcards(chosen);
  return (
    <Stack gap={4} role="group" aria-label={t("permissionPicker.permissions")}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {t("permissionPicker.permissions")}
        </Text>
        <Group gap={4}>
          {presets.map(({ name }) => (
            <Button key={name} size="compact-xs" variant="default" onClick={() => onChange(presetOf(name, mayGive))}>
              {name}
            </Button>
          ))}
        </Group>
      </Group>
      <ScrollBox label={t("permissionPicker.permissionsTable")} maxHeight={304}>
        <Table className={classes.table} fz="sm">
          <PermissionHead onToggle={toggle} />
          <Table.Tbody>
            {resources.map(([resource, name]) => (
              <PermissionRow key={resource} {...{ resource, name, chosen, whyNot }} onToggle={toggle} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {error ? (
        <Text size="xs" c="var(--status-failed)" role="alert">
          {error}
        </Text>
      ) : (
        <Text size="xs" className="quiet">
          {words.length === 0 ? t("permissionPicker.noPermissionsSelected") : <span className={classes.word}>{words.join(" ")}</span>}
        </Text>
      )}
    </Stack>
  );
}

function PermissionHead({ onToggle }: { onToggle: (some: readonly string[]) => void }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t("permissionPicker.resource")}</Table.Th>
        {operations.map(([operation, name]) => (
          <Table.Th key={operation}>
            <button
              type="button"
              className={classes.head}
              aria-label={t("permissionPicker.toggleAll", { name })}
              onClick={() => onToggle(resources.map(([resource]) => `${resource}/${operation}`))}
            >
              {name}
            </button>
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface PermissionRowProps extends Pick<PermissionPickerProps, "chosen" | "whyNot"> {
  resource: string;
  name: string;
  onToggle: (some: readonly string[]) => void;
}

function PermissionRow({ resource, name, chosen, whyNot, onToggle }: PermissionRowProps) {
  const all = operations.map(([operation]) => `${resource}/${operation}`);
  return (
    <Table.Tr>
      <Table.Td>
        <button type="button" className={classes.row} title={`${resource}/**`} onClick={() => onToggle(all)}>
          {name}
        </button>
      </Table.Td>
      {all.map((permission) => (
        <Table.Td key={permission}>
          <PermissionBox permission={permission} isChosen={chosen.has(permission)} why={whyNot(permission)} onToggle={onToggle} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

interface PermissionBoxProps {
  permission: string;
  isChosen: boolean;
  why: string | undefined;
  onToggle: (some: readonly string[]) => void;
}

function PermissionBox({ permission, isChosen, why, onToggle }: PermissionBoxProps) {
  const box = (
    <Checkbox
      className={classes.box}
      size="xs"
      aria-label={permission}
      checked={isChosen}
      disabled={why !== undefined}
      onChange={() => onToggle([permission])}
    />
  );
  if (why === undefined) return box;
  return (
    <Tooltip label={why} multiline maw={280}>
      <span>{box}</span>
    </Tooltip>
  );
}
