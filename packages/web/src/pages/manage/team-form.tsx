import { ActionIcon, Button, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/team.ts";
import { FormSection } from "../../ui/form/form-section.tsx";
import { type Label, labelChange, type Team, toLabels } from "./quota-rows.ts";

/** Name, status and labels of a team. A new name changes the team's URL; another team can use the old one at once. */
export function TeamForm({ team }: { team: Team }) {
  const rights = useRights(team.name);
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { displayName: team.displayName, name: team.name, status: team.status as string, labels: toLabels(team.labels) },
  });
  const { mutateAsync } = useChangeTeam(team.name);
  const why = rights.whyNot("team/write");
  const save = async ({ displayName, name, status, labels }: typeof form.values) => {
    const change = { displayName, ...(name !== team.name && { name }), status, labels: labelChange(team.labels, labels) };
    const changed = await mutateAsync(change);
    notifications.show({ message: t("teamForm.settingsSaved") });
    if (changed.name !== team.name) void navigate({ to: paths.manage(changed.name, "settings"), replace: true });
  };
  return (
    <FormSection form={form} action={t("teamForm.saveSettings")} whyNot={why} onSubmit={save}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t("teamForm.displayName")}
          required
          maxLength={400}
          readOnly={why !== undefined}
          {...form.getInputProps("displayName")}
        />
        <TextInput
          label={t("teamForm.name")}
          required
          maxLength={128}
          readOnly={why !== undefined}
          {...(form.values.name !== team.name && { description: t("teamForm.urlsScriptsUseOld") })}
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.getInputProps("name")}
        />
      </SimpleGrid>
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={500}>
          {t("teamForm.status")}
        </Text>
        <SegmentedControl
          aria-label={t("teamForm.status")}
          size="xs"
          disabled={why !== undefined}
          data={[
            { value: "active", label: t("teamForm.active") },
            { value: "inactive", label: t("teamForm.inactive") },
          ]}
          {...form.getInputProps("status")}
        />
        <Text size="xs" className="quiet">
          {t("teamForm.nothingRunInactiveTeam")}
        </Text>
      </Stack>
      <LabelsField labels={form.values.labels} onChange={(labels) => form.setFieldValue("labels", labels)} isReadOnly={why !== undefined} />
    </FormSection>
  );
}

interface LabelsFieldProps {
  labels: readonly Label[];
  onChange: (labels: Label[]) => void;
  isReadOnly: boolean;
}

/** Labels for filters, each with a key and a value. */
function LabelsField({ labels, onChange, isReadOnly }: LabelsFieldProps) {
  const set = (row: number, change: Partial<Label>) => onChange(labels.map((one) => (one.row === row ? { ...one, ...change } : one)));
  const add = () => onChange([...labels, { row: Math.max(-1, ...labels.map(({ row }) => row)) + 1, key: "", value: "" }]);
  return (
    <Stack gap={4} align="flex-start" role="group" aria-label={t("teamForm.labels")}>
      <Text size="sm" fw={500}>
        {t("teamForm.labels")}
      </Text>
      {labels.length === 0 && (
        <Text size="sm" className="quiet">
          {t("teamForm.noneUseLabelsFilter")}
        </Text>
      )}
      {labels.map(({ row, key, value }, index) => (
        <Group key={row} gap={4} wrap="nowrap" w="100%">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t("teamForm.keyLabel", { index: String(index + 1) })}
            placeholder={t("teamForm.keyPlaceholder")}
            value={key}
            readOnly={isReadOnly}
            onChange={(event) => set(row, { key: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            flex={2}
            aria-label={t("teamForm.valueLabel", { index: String(index + 1) })}
            placeholder={t("teamForm.valuePlaceholder")}
            value={value}
            readOnly={isReadOnly}
            onChange={(event) => set(row, { value: event.currentTarget.value })}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("teamForm.removeLabel", { key: String(key || index + 1) })}
              onClick={() => onChange(labels.filter((one) => one.row !== row))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && (
        <Button size="compact-xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          {t("teamForm.addLabel")}
        </Button>
      )}
    </Stack>
  );
}
