import { Button, Group, Text } from "@mantine/core";
import { useDraft } from "../../editor/draft/draft-context.ts";
import type { SectionDraft } from "../../editor/draft/use-section-draft.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/workflow/configure.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { RefusalAlert } from "../../ui/state/refusal-alert.tsx";
import classes from "./configure.module.css";

interface SaveBarProps {
  team: string;
  section: SectionDraft;
  /** Why the section can't be saved in its current state. */
  fault?: string | undefined;
}

/** Saves or discards the changes of a section, and shows why a save failed. Stays in view while there are unsaved changes. */
export function SaveBar({ team, section: { isChanged, isBusy, error, save, reset }, fault }: SaveBarProps) {
  const { isDirty } = useDraft();
  const whyNot = useRights(team).whyNot("workflow/write") ?? (isChanged ? fault : t("saveBar.noUnsavedChangesSection"));
  return (
    <div className={classes.saveBar} data-changed={isChanged || undefined}>
      {error !== null && error !== undefined && <RefusalAlert title={t("saveBar.notSaved")} error={error} />}
      <Group gap="xs">
        <ActionButton whyNot={whyNot} loading={isBusy} onClick={save}>
          {t("saveBar.save")}
        </ActionButton>
        <Button variant="default" disabled={!isChanged || isBusy} onClick={reset}>
          {t("saveBar.discardChanges")}
        </Button>
        {isDirty && !isChanged && (
          <Text size="sm" className="quiet">
            {t("saveBar.otherSectionsWorkflowHave")}
          </Text>
        )}
      </Group>
    </div>
  );
}
