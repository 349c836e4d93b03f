import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { createTask, isConflict, saveTask, type TaskScope, taskQuery } from "../../api/queries/tasks.ts";
import type { TaskDraftState } from "../../forms/task-form/use-task-draft.ts";
import { paths } from "../../paths.ts";
import { TextDiff } from "../../ui/text-diff.tsx";
import { annotationsLeft, numbered, withRemovals } from "./saved-text.ts";
import type { StoredTask, TaskBase } from "./use-task-base.ts";

interface SaveDialogProps {
  scope: TaskScope;
  name: string;
  stored: StoredTask | undefined;
  state: TaskDraftState;
  base: TaskBase;
  isOpen: boolean;
  onClose: () => void;
  onLeave: () => void;
}

/** Says what is about to be saved, and why it is. When somebody else was faster, what both did is shown and one decides. */
export function SaveDialog(props: SaveDialogProps) {
  const { scope, name, stored, state, base, isOpen, onClose } = props;
  const [reason, setReason] = useState("");
  const [isReplacing, setReplacing] = useState(false);
  const save = useSave(props, { reason, isReplacing });
  const isLost = isConflict(save.error);
  const close = () => {
    save.reset();
    setReason("");
    onClose();
  };
  const done = { onSuccess: close };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={stored === undefined ? `Create ${name}` : "Save the task"}
      size="xl"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ isForced: isLost }, done);
        }}
      >
        <Stack gap="sm">
          {stored !== undefined && !isLost && <TextDiff label="What changes" before={base.text} after={state.text} language="yaml" />}
          {isLost && <Conflict scope={scope} name={name} mine={state.text} />}
          {stored !== undefined && (
            <>
              <TextInput
                label="What changed, and why"
                value={reason}
                maxLength={1000}
                autoComplete="off"
                data-autofocus
                onChange={(event) => setReason(event.currentTarget.value)}
              />
              <Checkbox
                label={`Replace version ${stored.task.version} instead of making a new one`}
                description="Workflows that use it run the new content from their next run on"
                checked={isReplacing}
                onChange={(event) => setReplacing(event.currentTarget.checked)}
              />
            </>
          )}
          {stored === undefined && (
            <Text>Workflows {scope === undefined ? "of every team" : "of the team"} can use it as soon as it is created.</Text>
          )}
          {save.error !== null && !isLost && (
            <Text role="alert" c="var(--status-failed)">
              {messageOf(save.error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {isLost ? "Back to my changes" : "Cancel"}
            </Button>
            <Button type="submit" loading={save.isPending} {...(isLost && { color: "red.8" })}>
              {verbOf(stored, isReplacing, isLost)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function verbOf(stored: StoredTask | undefined, isReplacing: boolean, isLost: boolean): string {
  if (stored === undefined) return "Create the task";
  if (isLost) return "Save mine over it";
  return isReplacing ? `Replace version ${stored.task.version}` : `Save as version ${stored.task.version + 1}`;
}

function useSave(
  { scope, name, stored, state, base, onLeave }: SaveDialogProps,
  { reason, isReplacing }: { reason: string; isReplacing: boolean },
) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ isForced }: { isForced: boolean }) => {
      if (stored === undefined) await createTask(scope, state.text);
      else
        await saveTask({
          scope,
          name,
          text: withRemovals(state.text, base.text),
          reason,
          replace: isReplacing,
          etag: isForced ? undefined : base.etag,
        });
      return state.text;
    },
    onSuccess: async (text) => {
      if (stored === undefined) {
        onLeave();
        await navigate({
          to: scope === undefined ? paths.globalTask(name) : paths.teamTask(scope, name),
          search: {} as never,
          replace: true,
        });
      }
      const fresh = await client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 });
      const left = annotationsLeft(text, fresh.text);
      // The text of the draft goes on to be shown: the service has it without the comments.
      base.reset(left.length > 0 ? fresh.text : numbered(text, fresh.task.version), fresh.etag);
      if (left.length > 0)
        notifications.show({
          color: "yellow",
          message: `Labels and annotations that somebody else has added meanwhile stay: ${left.join(", ")}`,
        });
      void client.invalidateQueries({ queryKey: ["tasks"] });
      void client.invalidateQueries({ queryKey: ["task", scope ?? "global", name] });
      notifications.show({ message: stored === undefined ? `${name} is created` : `Version ${fresh.task.version} is saved` });
    },
  });
}

/** What is stored now beside what would be. */
function Conflict({ scope, name, mine }: { scope: TaskScope; name: string; mine: string }) {
  const client = useQueryClient();
  const [theirs, setTheirs] = useState<StoredTask>();
  if (theirs === undefined) void client.fetchQuery({ ...taskQuery(scope, name), staleTime: 0 }).then(setTheirs, () => undefined);
  return (
    <>
      <Text role="alert" c="var(--status-failed)">
        {theirs?.task.changelog?.author ?? "Somebody else"} has saved {theirs ? `version ${theirs.task.version}` : "another state"} since
        you began. Saving makes yours the latest; this is what it would change of theirs:
      </Text>
      {theirs && <TextDiff label="What saving would change of theirs" before={theirs.text} after={mine} language="yaml" />}
    </>
  );
}
