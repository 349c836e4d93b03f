import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { TextDiff } from "../ui/text-diff.tsx";
import { TimeText } from "../ui/time-text.tsx";
import classes from "./conflict-dialog.module.css";
import { type Draft, draftOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { textOf } from "./draft-text.ts";
import { useSaving } from "./save-context.ts";

/** Somebody else saved while this draft was worked on: who and when, what differs, and the three ways to go on. */
export function ConflictDialog() {
  const { history } = useDraft();
  const { newer, isComparing, compare, takeTheirs, save, isSaving } = useSaving();
  return (
    <Modal
      closeButtonProps={{ "aria-label": "Close" }}
      opened={isComparing}
      onClose={() => compare(false)}
      title="Somebody else saved this workflow"
      size="xl"
      centered
    >
      {newer && (
        <Stack gap="sm">
          <Text component="div">
            <strong>{newer.data.changelog?.author}</strong> saved version {newer.data.version} <TimeText at={newer.data.changelog?.date} />
            {newer.data.changelog?.reason && <> with the message “{newer.data.changelog.reason}”</>}. Nothing of yours is lost. Below is how
            your draft differs from it: lines of theirs that you would take away, and lines that you would add.
          </Text>
          <div className={classes.difference}>
            <TextDiff
              label="Their version and your draft"
              before={comparable(draftOf(newer.data))}
              after={comparable(history.present)}
              language="yaml"
            />
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => compare(false)} data-autofocus>
              Keep editing
            </Button>
            <Button variant="default" onClick={takeTheirs}>
              Load theirs, drop mine
            </Button>
            <Button loading={isSaving} onClick={() => save({ over: newer, message: `Saved over version ${newer.data.version}` })}>
              Save mine on top
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** What a save writes for good. What is the same for all versions is left alone by it, unless it was changed here. */
function comparable(draft: Draft): string {
  const { triggers: _triggers, status: _status, ...rest } = draft;
  return textOf(rest as Draft, "yaml");
}
