import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { t } from "../../texts/configure.ts";
import { CopyField } from "../../ui/copy-field.tsx";

interface TokenDialogProps {
  workflowId: string;
  onMade: () => Promise<unknown>;
  onClose: () => void;
}

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

interface TokenWish {
  name: string;
  granted: string[];
  /** Empty: it never ends. */
  days: string;
}

/** Makes a token and shows it, once. */
export function TokenDialog({ workflowId, onMade, onClose }: TokenDialogProps) {
  const [wish, setWish] = useState<TokenWish>({ name: "", granted: ["webhook/action"], days: "90" });
  const making = useMutation({ mutationFn: () => makeToken(workflowId, wish), onSuccess: onMade });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t("tokenDialog.createWorkflowToken")} closeOnClickOutside={making.data === undefined}>
      {making.data !== undefined ? (
        <MadeToken token={making.data.token} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TokenFields wish={wish} onChange={(part) => setWish({ ...wish, ...part })} />
            {making.error !== null && (
              <Text role="alert" c="var(--status-failed)">
                {messageOf(making.error)}
              </Text>
            )}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                {t("tokenDialog.cancel")}
              </Button>
              <Button type="submit" loading={making.isPending} disabled={wish.name.trim() === "" || wish.granted.length === 0}>
                {t("tokenDialog.createToken")}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

function makeToken(workflowId: string, { name, granted, days }: TokenWish) {
  const expirationDate = Date.now() + Number(days) * 86_400_000;
  const body = { type: "workflow" as const, principal: workflowId, name: name.trim(), permissions: granted };
  return call(api.POST("/api/v2/token", { body: { ...body, ...(days !== "" && { expirationDate }) } }));
}

/** What will use it, what it may, and until when. */
function TokenFields({ wish, onChange }: { wish: TokenWish; onChange: (part: Partial<TokenWish>) => void }) {
  return (
    <>
      <TextInput
        label={t("tokenDialog.name")}
        description={t("tokenDialog.nameHelp")}
        required
        maxLength={200}
        data-autofocus
        value={wish.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Checkbox.Group label={t("tokenDialog.permissions")} value={wish.granted} onChange={(granted) => onChange({ granted })}>
        <Stack gap={8} mt={4}>
          {permissions.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={t("tokenDialog.expiresAfter")}
        data={lives}
        value={wish.days}
        allowDeselect={false}
        onChange={(days) => onChange({ days: days ?? "" })}
      />
    </>
  );
}

function MadeToken({ token, onClose }: { token: string; onClose: () => void }) {
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
