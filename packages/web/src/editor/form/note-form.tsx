import { Text, Title } from "@mantine/core";
import { t } from "../../texts/designer-form.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import type { CanvasNote } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeNote } from "../draft/graph-edits.ts";
import classes from "./side-panel.module.css";

/** The text of a note on the canvas. */
export function NoteForm({ note }: { note: CanvasNote }) {
  const { change, whyNotEdit } = useDraft();
  return (
    <div className={classes.body}>
      <Title order={2}>{t("noteForm.note")}</Title>
      <Text size="sm" className="quiet" mb="xs">
        {t("noteForm.markdownShownCanvasSaved")}
      </Text>
      <CodeEditor
        label={t("noteForm.noteText")}
        language="markdown"
        value={note.text}
        isReadOnly={whyNotEdit !== undefined}
        onChange={(text) => text !== note.text && change((draft) => changeNote(draft, { ...note, text }), `note ${note.id}`)}
      />
    </div>
  );
}
