import { Button, FileButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { type DragEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { CommentNotice } from "../../components/yaml/comment-notice.tsx";
import { pipelineText, placesInText, readWorkflowText } from "../../forms/workflow-text.ts";
import type { TextFault } from "../../forms/yaml-value.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { RefusalAlert } from "../../ui/state/refusal-alert.tsx";
import { isAboutName } from "./from-scratch.tsx";
import { useCreation } from "./use-creation.ts";
import classes from "./workflows.module.css";

const example =
  "name: hello\ntasks:\n  - name: greet\n    taskRef: execute-shell\n    params:\n      - name: script\n        value: echo hello\n";

/** A YAML or JSON document or a Tekton pipeline, uploaded or typed. Errors are marked at their place. */
export function FromText({ team, withFile = false }: { team: string; withFile?: boolean }) {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [faults, setFaults] = useState<readonly TextFault[]>([]);
  const creation = useCreation(team);
  const change = (next: string) => {
    setText(next);
    setFaults([]);
  };
  const create = () => {
    const { document, faults: found } = readWorkflowText(text);
    setFaults(found);
    creation.reset();
    if (document === undefined) return;
    const pipeline = pipelineText(document, text, name.trim());
    const body = { ...document, ...(name.trim() !== "" && { name: name.trim() }) } as Workflow;
    creation.mutate(pipeline === undefined ? body : { pipeline }, {
      onError: (error) => setFaults(error instanceof ApiError ? placesInText(text, error.errors) : []),
    });
  };
  const isOfName = isAboutName(creation.error);
  return (
    <Stack gap="sm" maw={960}>
      {withFile && <FileDrop onText={change} />}
      {(!withFile || text !== "") && (
        <>
          <TextInput
            label={t("fromText.name")}
            description={t("fromText.nameHelp")}
            error={isOfName ? messageOf(creation.error) : undefined}
            maw={560}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <CodeEditor
            label={t("fromText.workflowYamlJson")}
            language="yaml"
            minHeight="280px"
            maxHeight="60vh"
            placeholder={example}
            value={text}
            onChange={change}
            diagnostics={faults.map((fault) => ({ ...fault, severity: "error" as const }))}
          />
          <CommentNotice text={text} why={t("fromText.workflowCreatedDocument")} />
          {faults.length > 0 && creation.error === null && <TextFaults text={text} faults={faults} />}
          {creation.error !== null && !isOfName && <RefusalAlert title={t("fromText.couldntCreateWorkflow")} error={creation.error} />}
          <Group>
            <Button onClick={create} loading={creation.isPending} disabled={text.trim() === ""}>
              {t("fromText.createOpenDesigner")}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

function TextFaults({ text, faults }: { text: string; faults: readonly TextFault[] }) {
  return (
    <Text component="div" role="alert" c="var(--status-failed)">
      {faults.map(({ message, from }) => (
        <div key={`${from}${message}`}>{t("fromText.line", { line: String(text.slice(0, from).split("\n").length), message })}</div>
      ))}
    </Text>
  );
}

const sizeLimit = 8 * 1024 * 1024;

/** Accepts a dropped or selected file. */
function FileDrop({ onText }: { onText: (text: string) => void }) {
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState("");
  const [fileName, setFileName] = useState("");
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    setFault(file.size > sizeLimit ? t("fromText.largerThan8Mib", { name: file.name }) : "");
    if (file.size > sizeLimit) return;
    setFileName(file.name);
    onText(await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a shortcut for the button inside
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text mb="xs">{fileName === "" ? t("fromText.dropExportedWorkflowHere") : fileName}</Text>
      <FileButton
        onChange={(file) => void take(file)}
        accept=".json,.yaml,.yml,application/json"
        inputProps={{ "aria-label": t("fromText.file") }}
      >
        {(props) => (
          <Button {...props} variant="default" size="xs">
            {fileName === "" ? t("fromText.chooseFile") : t("fromText.chooseAnotherFile")}
          </Button>
        )}
      </FileButton>
      {fault !== "" && (
        <Text role="alert" c="var(--status-failed)" mt="xs">
          {fault}
        </Text>
      )}
    </div>
  );
}
