import { Alert, Button, Group } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useRights } from "../../hooks/use-caller.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { DeedButton } from "../../ui/deed-button.tsx";
import { RefusalAlert } from "../../ui/refusal-alert.tsx";
import classes from "./configure.module.css";
import type { SectionSave } from "./use-section-save.ts";

interface SaveBarProps {
  team: string;
  saving: SectionSave;
  /** Something differs from what is saved. */
  isChanged: boolean;
  /** Why it can't be saved as it is. */
  fault?: string | undefined;
  onSave: () => void;
  onReset: () => void;
}

/** Save and take back, why it was refused, and what to do when somebody else was faster. In sight while something is not saved. */
export function SaveBar({ team, saving, isChanged, fault, onSave, onReset }: SaveBarProps) {
  const whyNot = useRights(team).whyNot("workflow/write") ?? (isChanged ? fault : "Nothing was changed.");
  return (
    <div className={classes.saveBar} data-changed={isChanged || undefined}>
      {saving.isConflict ? (
        <Conflict saving={saving} />
      ) : (
        saving.error !== null && <RefusalAlert title="It was not saved" error={saving.error} />
      )}
      <Group gap="xs">
        <DeedButton whyNot={whyNot} loading={saving.isBusy} onClick={onSave}>
          Save
        </DeedButton>
        <Button variant="default" disabled={!isChanged || saving.isBusy} onClick={onReset}>
          Take back
        </Button>
      </Group>
      <UnsavedGuard isChanged={isChanged && !saving.isBusy} onLeave={onReset} />
    </div>
  );
}

/** Who leaves with something unsaved is asked first. */
function UnsavedGuard({ isChanged, onLeave }: { isChanged: boolean; onLeave: () => void }) {
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: () => isChanged, enableBeforeUnload: isChanged, withResolver: true });
  return (
    <ConfirmDialog
      isOpen={status === "blocked"}
      onClose={() => reset?.()}
      title="Leave without saving?"
      deed="Leave without saving"
      isDangerous
      onConfirm={async () => {
        onLeave();
        proceed?.();
      }}
    >
      What you changed in this section is not saved yet.
    </ConfirmDialog>
  );
}

function Conflict({ saving }: { saving: SectionSave }) {
  return (
    <Alert color="yellow" variant="outline" role="alert" title="Somebody else saved this workflow meanwhile">
      What you typed is still here. You can write this section on top of that state; the other sections then stay as they were saved.
      <Group gap="xs" mt="sm">
        <Button size="xs" loading={saving.isBusy} onClick={saving.saveOnTop}>
          Save mine on top
        </Button>
        <Button size="xs" variant="default" onClick={() => void saving.takeTheirs()}>
          Show what was saved
        </Button>
      </Group>
    </Alert>
  );
}
