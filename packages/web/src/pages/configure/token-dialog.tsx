import { Alert, Button, Checkbox, Group, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../api/client.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/configure.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";

const permissions = [
  { value: "webhook/action", label: t("tokenDialog.sendWebhooksEventsAnswer") },
  { value: "workflow/action", label: t("tokenDialog.submitRuns") },
  { value: "workflow/read", label: t("tokenDialog.readWorkflow") },
  { value: "workflowrun/read", label: t("tokenDialog.readRuns") },
  { value: "taskrun/read", label: t("tokenDialog.readTaskRunsLogs") },
  { value: "workflowrun/action", label: t("tokenDialog.cancelRetryRerunRuns") },
];

const lives = [
  { value: "30", label: t("tokenDialog.n30Days") },
  { value: "90", label: t("tokenDialog.n90Days") },
  { value: "365", label: t("tokenDialog.year") },
  { value: "", label: t("tokenDialog.never") },
];

interface TokenValues {
  name: string;
  permissions: string[];
  /** Empty: the token never expires. */
  days: string;
}

/** Creates a token and shows it, once. */
export function TokenDialog({ team, workflowId, onClose }: { team: string; workflowId: string; onClose: () => void }) {
  const form = useForm<TokenValues>({ initialValues: { name: "", permissions: ["webhook/action"], days: "90" } });
  const { name, permissions: granted } = form.values;
  const create = useApiMutation({
    changes: ["workflow"],
    team,
    mutationFn: (values: TokenValues) => createToken(workflowId, values),
    // The response contains the token, which must not be kept after the dialog closes.
    gcTime: 0,
  });
  return (
    <FormDialog
      title={t("tokenDialog.createWorkflowToken")}
      form={form}
      action={t("tokenDialog.createToken")}
      whyNot={name.trim() === "" ? t("tokenDialog.enterName") : granted.length === 0 ? t("tokenDialog.selectLeastPermission") : undefined}
      places={{ "/expirationDate": "days" }}
      onSubmit={create.mutateAsync}
      onClose={onClose}
      staysOpen
      result={create.data && <TokenOnce token={create.data.token} onClose={onClose} />}
    >
      <TextInput
        label={t("tokenDialog.name")}
        description={t("tokenDialog.nameHelp")}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label={t("tokenDialog.permissions")} {...form.getInputProps("permissions")}>
        <Stack gap={8} mt={4}>
          {permissions.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select label={t("tokenDialog.expiresAfter")} data={lives} allowDeselect={false} {...form.getInputProps("days")} />
    </FormDialog>
  );
}

function createToken(workflowId: string, { name, permissions, days }: TokenValues) {
  const expirationDate = Date.now() + Number(days) * 86_400_000;
  const body = { type: "workflow" as const, principal: workflowId, name: name.trim(), permissions };
  return call(api.POST("/api/v2/token", { body: { ...body, ...(days !== "" && { expirationDate }) } }));
}

function TokenOnce({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="outline">
        {t("tokenDialog.copyTokenNowCant")}
      </Alert>
      <CopyField value={token} label={t("tokenDialog.token")} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("tokenDialog.done")}</Button>
      </Group>
    </Stack>
  );
}
