import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { t } from "../../texts/workflow/designer.ts";
import { TextDiff } from "../../ui/code/code-editor.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./conflict-dialog.module.css";
import { type Draft, draftOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { textOf } from "./draft-text.ts";
import { mergeDrafts } from "./merge-drafts.ts";
import { useSaving } from "./save-context.ts";

/**
 * Someone else saved while this draft was worked on, and both changed the same: who, when and what, and the three ways to continue.
 */
export function ConflictDialog() {
  const { history } = useDraft();
  const { newer, isComparing, compare, takeTheirs, save, isSaving } = useSaving();
  const merged = newer && mergeDrafts(history.baseline, history.present, draftOf(newer.data));
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("conflictDialog.close") }}
      opened={isComparing}
      onClose={() => compare(false)}
      title={t("conflictDialog.someoneElseSavedWorkflow")}
      size="xl"
      centered
    >
      {newer && merged && (
        <Stack gap="sm">
          <Text component="div">
            {t.rich("conflictDialog.savedVersionBothChanged", {
              strong: () => <strong>{newer.data.changelog?.author}</strong>,
              version: () => newer.data.version,
              time: () => <TimeText at={newer.data.changelog?.date} />,
              reason: () => newer.data.changelog?.reason && <> {t("conflictDialog.message", { reason: newer.data.changelog.reason })}</>,
              conflicts: merged.conflicts.join(", "),
            })}
          </Text>
          <div className={classes.difference}>
            <TextDiff
              label={t("conflictDialog.savedVersionDraft")}
              before={comparable(draftOf(newer.data))}
              after={comparable(merged.draft)}
              language="yaml"
            />
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" color="red" onClick={takeTheirs}>
              {t("conflictDialog.discardMyChanges")}
            </Button>
            <Button
              variant="default"
              loading={isSaving}
              onClick={() => save({ over: newer, message: t("conflictDialog.mergedVersion", { version: String(newer.data.version) }) })}
            >
              {t("conflictDialog.overwriteMine")}
            </Button>
            <Button onClick={() => compare(false)} data-autofocus>
              {t("conflictDialog.keepEditing")}
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
