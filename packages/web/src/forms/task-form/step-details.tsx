import { Select, SimpleGrid, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/task/task-form.ts";
import { DraftText } from "./draft-text.tsx";
import { PairRows } from "./pair-rows.tsx";
import { faultAt, resourcesMember, type StepFieldsProps } from "./task-draft.ts";
import { readYaml, setYaml, type YamlPath } from "./yaml-edit.ts";

/** Members that few steps need. */
export function StepDetails({ step, index, edit, faults, isReadOnly }: StepFieldsProps) {
  const path = (...members: (string | number)[]): YamlPath => ["spec", "steps", index, ...members];
  const set = (member: string) => (value: unknown) => edit((text) => setYaml(text, path(member), value));
  const limit = (member: string) => (value: string) => edit((text) => setYaml(text, [...limitsPath(text, path()), member], value));
  const fault = (...members: string[]) => faultAt(faults, ...path(...members));
  const texts = { isReadOnly };
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Lines
          label={t("stepDetails.command")}
          value={step.command}
          error={fault("command")}
          isReadOnly={isReadOnly}
          onChange={set("command")}
        />
        <Lines label={t("stepDetails.arguments")} value={step.args} error={fault("args")} isReadOnly={isReadOnly} onChange={set("args")} />
        <DraftText
          {...texts}
          label={t("stepDetails.workingDirectory")}
          value={step.workingDir}
          error={fault("workingDir")}
          onChange={set("workingDir")}
        />
        <DraftText
          {...texts}
          label={t("stepDetails.timeout")}
          placeholder="1h30m"
          value={step.timeout}
          error={fault("timeout")}
          onChange={set("timeout")}
        />
        <DraftText
          {...texts}
          label={t("stepDetails.cpuLimit")}
          placeholder="500m"
          value={step.cpu}
          error={fault("computeResources")}
          onChange={limit("cpu")}
        />
        <DraftText
          {...texts}
          label={t("stepDetails.memoryLimit")}
          placeholder={t("stepDetails.memoryLimitPlaceholder")}
          value={step.memory}
          onChange={limit("memory")}
        />
        <Select
          label={t("stepDetails.failure")}
          size="sm"
          value={step.onError || "stopAndFail"}
          data={[
            { value: "stopAndFail", label: t("stepDetails.failTask") },
            { value: "continue", label: t("stepDetails.continueNextStep") },
          ]}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={fault("onError")}
          onChange={(value) => set("onError")(value === "continue" ? value : undefined)}
        />
      </SimpleGrid>
      <PairRows
        label={t("stepDetails.environment")}
        noun={t("stepDetails.variable")}
        pairs={step.env.map(({ name, value }) => [name, value])}
        path={path("env")}
        edit={edit}
        error={fault("env")}
        isReadOnly={isReadOnly}
      />
    </Stack>
  );
}

function limitsPath(text: string, step: YamlPath): YamlPath {
  const read = readYaml(text);
  return [...step, "document" in read ? resourcesMember(read.document, step) : "computeResources", "limits"];
}

interface LinesProps {
  label: string;
  value: string[];
  error: string | undefined;
  isReadOnly: boolean;
  onChange: (value: string[]) => void;
}

/** A list of texts, one per line. */
function Lines({ label, value, error, isReadOnly, onChange }: LinesProps) {
  const [typed, setTyped] = useState(value.join("\n"));
  const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");
  const shown = linesOf(typed).join("\n") === value.join("\n") ? typed : value.join("\n");
  return (
    <Textarea
      label={t("stepDetails.perLine", { label })}
      size="sm"
      autosize
      minRows={1}
      maxRows={8}
      value={shown}
      error={error}
      readOnly={isReadOnly}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(linesOf(event.currentTarget.value));
      }}
    />
  );
}
