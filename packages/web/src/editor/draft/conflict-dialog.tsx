import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { TextDiff } from "../../ui/code/text-diff.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./conflict-dialog.module.css";
import { type Draft, draftOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { textOf } from "./draft-text.ts";
import { mergeDrafts } from "./merge-drafts.ts";
import { useSaving } from "./save-context.ts";

/**
 * Somebody else saved while this draft was worked on, and both changed the same: who and when, what that is, and the three ways to go on.
 */
export function ConflictDialog() {
  const { history } = useDraft();
  const { newer, isComparing, compare, takeTheirs, save, isSaving } = useSaving();
  const merged = newer && mergeDrafts(history.baseline, history.present, draftOf(newer.data));
  return (
    <Modal
      closeButtonProps={{ "aria-label": "Close" }}
      opened={isComparing}
      onClose={() => compare(false)}
      title="Someone else saved this workflow"
      size="xl"
      centered
    >
      {newer && merged && (
        <Stack gap="sm">
          <Text component="div">
            <strong>{newer.data.changelog?.author}</strong> saved version {newer.data.version} <TimeText at={newer.data.changelog?.date} />
            {newer.data.changelog?.reason && <> with the message “{newer.data.changelog.reason}”</>}. You both changed{" "}
            {merged.conflicts.join(", ")}. All other changes are merged. Overwriting would change the saved version as follows.
          </Text>
          <div className={classes.difference}>
            <TextDiff
              label="Saved version and your draft"
              before={comparable(draftOf(newer.data))}
              after={comparable(merged.draft)}
              language="yaml"
            />
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" color="red" onClick={takeTheirs}>
              Discard my changes
            </Button>
            <Button
              variant="default"
              loading={isSaving}
              onClick={() => save({ over: newer, message: `Merged with version ${newer.data.version}` })}
            >
              Overwrite with mine
            </Button>
            <Button onClick={() => compare(false)} data-autofocus>
              Keep editing
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function comparable(draft: Draft): string {
  return textOf(draft, "yaml");
}
