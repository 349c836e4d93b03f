import { Alert, Button, Checkbox, Group, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../api/client.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";

const permissions = [
  { value: "webhook/action", label: "Send webhooks and events, and answer callbacks" },
  { value: "workflow/action", label: "Submit runs" },
  { value: "workflow/read", label: "Read the workflow" },
  { value: "workflowrun/read", label: "Read its runs" },
  { value: "taskrun/read", label: "Read task runs and logs" },
  { value: "workflowrun/action", label: "Cancel, retry and rerun its runs" },
];

const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "", label: "Never" },
];

interface TokenValues {
  name: string;
  permissions: string[];
  /** Empty: it never ends. */
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
    // The token is in the answer: it must not outlive the dialog.
    gcTime: 0,
  });
  return (
    <FormDialog
      title="Create workflow token"
      form={form}
      action="Create token"
      whyNot={name.trim() === "" ? "Enter a name." : granted.length === 0 ? "Select at least one permission." : undefined}
      places={{ "/expirationDate": "days" }}
      onSubmit={create.mutateAsync}
      onClose={onClose}
      staysOpen
      result={create.data && <TokenOnce token={create.data.token} onClose={onClose} />}
    >
      <TextInput label="Name" description="What uses it" required maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <Checkbox.Group label="Permissions" {...form.getInputProps("permissions")}>
        <Stack gap={8} mt={4}>
          {permissions.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select label="Expires after" data={lives} allowDeselect={false} {...form.getInputProps("days")} />
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
        Copy the token now. It can't be viewed again.
      </Alert>
      <CopyField value={token} label="the token" />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
