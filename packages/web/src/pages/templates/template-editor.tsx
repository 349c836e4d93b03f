import { Group, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { saveTemplate, TemplateRefusal } from "../../api/queries/workflow/templates.ts";
import { YamlPane } from "../../components/yaml/yaml-pane.tsx";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/templates.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { placeFaults, readTemplateText, withRemovals } from "./template-text.ts";

interface TemplateEditorProps {
  /** The stored text, or the initial text of a new template. */
  initial: string;
  /** The unsaved text from before the user switched to another tab. */
  draft?: string | undefined;
  /** The etag of the template being edited; undefined: a new template. */
  etag: string | undefined;
  /** Why the template is read-only. */
  whyNot?: string | undefined;
  onSaved?: () => void;
  onText?: (text: string) => void;
}

/** Edits a template as text. Errors from the service are shown at their lines. */
export function TemplateEditor({ initial, draft, etag, whyNot, onSaved, onText }: TemplateEditorProps) {
  const [text, setText] = useState(draft ?? initial);
  const [reason, setReason] = useState("");
  const read = useMemo(() => readTemplateText(text), [text]);
  const save = useSave({ text, initial, etag }, reason, onSaved);
  const refused = save.error instanceof TemplateRefusal ? placeFaults(text, save.error.faults) : [];
  const faults = text.trim() === "" ? [] : "faults" in read ? read.faults : refused;
  const change = (next: string) => {
    setText(next);
    onText?.(next);
    if (save.error !== null) save.reset();
  };
  const isConflict = save.error instanceof TemplateRefusal && save.error.status === 412;
  return (
    <Stack gap="sm">
      <YamlPane
        label={t("templateEditor.templateYaml")}
        text={text}
        onChange={change}
        check={faults.length === 0 ? undefined : { faults, warnings: [], isPending: false }}
        isReadOnly={whyNot !== undefined}
        maxHeight="60vh"
      />
      {save.error !== null && (refused.length === 0 || isConflict) && (
        <Text role="alert" c="var(--status-failed)">
          {isConflict ? t("templateEditor.someoneElseSavedTemplate") : messageOf(save.error)}
        </Text>
      )}
      <Group align="flex-end" justify="flex-end" gap="sm">
        {etag !== undefined && whyNot === undefined && (
          <TextInput
            label={t("templateEditor.changeMessage")}
            style={{ flex: "1 1 240px" }}
            value={reason}
            autoComplete="off"
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <ActionButton
          loading={save.isPending}
          whyNot={whyNot ?? whyNotSave(text, initial, etag, "faults" in read)}
          onClick={() => save.mutate()}
        >
          {etag === undefined ? t("templateEditor.createTemplate") : t("templateEditor.saveNewVersion")}
        </ActionButton>
      </Group>
    </Stack>
  );
}

function whyNotSave(text: string, initial: string, etag: string | undefined, isBroken: boolean): string | undefined {
  if (text.trim() === "") return t("templateEditor.templateEmpty");
  if (isBroken) return t("templateEditor.textNotValid");
  return etag !== undefined && text === initial ? t("templateEditor.noUnsavedChanges") : undefined;
}

function useSave(
  { text, initial, etag }: { text: string; initial: string; etag: string | undefined },
  reason: string,
  onSaved: (() => void) | undefined,
) {
  const renew = useRenew();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => {
      const read = readTemplateText(text);
      if ("faults" in read) throw new Error(read.faults[0]?.message);
      const template = withRemovals(read.template, etag === undefined ? "" : initial);
      return saveTemplate({ ...template, ...(reason && { changelog: { reason } }) } as Parameters<typeof saveTemplate>[0], etag);
    },
    onSuccess: async ({ name, version }) => {
      onSaved?.();
      await renew(["template"], name);
      void renew(["templates"]);
      notifications.show({ message: t("templateEditor.versionSaved", { version: String(version), name }) });
      if (etag === undefined) await navigate({ to: paths.template(name) });
    },
  });
}
