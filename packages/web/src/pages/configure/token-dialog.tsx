import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { CopyField } from "../../ui/copy-field.tsx";

interface TokenDialogProps {
  workflowId: string;
  onMade: () => Promise<unknown>;
  onClose: () => void;
}

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
    <Modal opened onClose={onClose} title="Create workflow token" closeOnClickOutside={making.data === undefined}>
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
                Cancel
              </Button>
              <Button type="submit" loading={making.isPending} disabled={wish.name.trim() === "" || wish.granted.length === 0}>
                Create token
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
        label="Name"
        description="What uses it"
        required
        maxLength={200}
        data-autofocus
        value={wish.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Checkbox.Group label="Permissions" value={wish.granted} onChange={(granted) => onChange({ granted })}>
        <Stack gap={8} mt={4}>
          {permissions.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires after"
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
        Copy the token now. It can't be viewed again.
      </Alert>
      <CopyField value={token} label="the token" />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
