import { Alert, Button, Group } from "@mantine/core";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import type { SectionSave } from "./use-section-save.ts";

interface SaveBarProps {
  team: string;
  saving: SectionSave;
  /** Something differs from what is saved. */
  isChanged: boolean;
  onSave: () => void;
  onReset: () => void;
}

/** Save and take back, why it was refused, and what to do when somebody else was faster. */
export function SaveBar({ team, saving, isChanged, onSave, onReset }: SaveBarProps) {
  const whyNot = useRights(team).whyNot("workflow/write") ?? (isChanged ? undefined : "Nothing was changed.");
  return (
    <>
      {saving.isConflict ? <Conflict saving={saving} /> : saving.error !== null && <Refusal error={saving.error} />}
      <Group gap="xs">
        <DeedButton whyNot={whyNot} loading={saving.isBusy} onClick={onSave}>
          Save
        </DeedButton>
        <Button variant="default" disabled={!isChanged || saving.isBusy} onClick={onReset}>
          Take back
        </Button>
      </Group>
    </>
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
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          Show what was saved
        </Button>
      </Group>
    </Alert>
  );
}

function Refusal({ error }: { error: unknown }) {
  const places = error instanceof ApiError ? error.errors : [];
  return (
    <Alert color="red" variant="outline" role="alert" title="It was not saved">
      {messageOf(error)}
      {places.length > 0 && (
        <ul>
          {places.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
