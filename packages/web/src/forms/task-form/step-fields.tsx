import { Button, Input, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/task/task-form.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import type { CodeLanguage } from "../../ui/code/code-look.ts";
import { DraftText } from "./draft-text.tsx";
import { StepDetails } from "./step-details.tsx";
import { faultAt, type StepDraft, type StepFieldsProps } from "./task-draft.ts";
import { setYaml } from "./yaml-edit.ts";

/** One step: what it runs, with other members behind a button, expanded if any of them is set. */
export function StepFields(props: StepFieldsProps) {
  const { step, index, edit, faults, isReadOnly } = props;
  const [isOpen, setOpen] = useState(hasDetails(step));
  const set = (member: string) => (value: string) => edit((text) => setYaml(text, ["spec", "steps", index, member], value));
  const scriptError = faultAt(faults, "spec", "steps", index, "script");
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DraftText
          label={t("stepFields.name")}
          value={step.name}
          isReadOnly={isReadOnly}
          error={faultAt(faults, "spec", "steps", index, "name")}
          onChange={set("name")}
        />
        <DraftText
          label={t("stepFields.image")}
          value={step.image}
          placeholder={t("stepFields.imagePlaceholder")}
          isReadOnly={isReadOnly}
          error={faultAt(faults, "spec", "steps", index, "image")}
          onChange={set("image")}
        />
      </SimpleGrid>
      <div>
        <Input.Label component="div">{t("stepFields.script")}</Input.Label>
        <CodeEditor
          label={t("stepFields.scriptStep", { index: String(index + 1) })}
          value={step.script}
          language={languageOfScript(step.script)}
          isReadOnly={isReadOnly}
          minHeight="96px"
          maxHeight="320px"
          onChange={set("script")}
        />
        {scriptError && <Input.Error mt={4}>{scriptError}</Input.Error>}
      </div>
      {isOpen ? (
        <StepDetails {...props} />
      ) : (
        <Button variant="subtle" size="compact-sm" style={{ alignSelf: "flex-start" }} onClick={() => setOpen(true)}>
          {t("stepFields.commandEnvironmentResources")}
        </Button>
      )}
    </Stack>
  );
}

function hasDetails({ command, args, env, workingDir, timeout, onError, cpu, memory }: StepDraft): boolean {
  return command.length + args.length + env.length > 0 || [workingDir, timeout, onError, cpu, memory].some((value) => value !== "");
}

/** Determined by its first line. */
function languageOfScript(script: string): CodeLanguage {
  const [first = ""] = script.split("\n");
  if (/python/.test(first)) return "python";
  return /node|deno|bun/.test(first) ? "javascript" : "shell";
}
