import { Button, Group, Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { TaskPin } from "../../api/queries/workflow/trials.ts";
import { t } from "../../texts/workflow/trial.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { outputText, resultsFrom } from "./pinned-output.ts";

interface PinFormProps {
  pin: TaskPin;
  isDecision: boolean;
  onSave: (pin: TaskPin) => void;
  onCancel: () => void;
}

const statuses = (["succeeded", "failed", "timedout", "skipped"] as const).map((value) => ({ value, label: t(`outputPane.${value}`) }));

/** The output that a task is assumed to have, written by the author. */
export function PinForm({ pin, isDecision, onSave, onCancel }: PinFormProps) {
  const [text, setText] = useState(outputText(pin));
  const [status, setStatus] = useState(pin.status ?? "succeeded");
  const [decision, setDecision] = useState(pin.decision ?? "");
  const results = resultsFrom(text);
  return (
    <>
      <Select
        size="xs"
        label={t("outputPane.status")}
        data={statuses}
        value={status}
        allowDeselect={false}
        onChange={(value) => setStatus((value ?? "succeeded") as NonNullable<TaskPin["status"]>)}
      />
      {isDecision && (
        <TextInput
          size="xs"
          label={t("outputPane.decision")}
          value={decision}
          onChange={(event) => setDecision(event.currentTarget.value)}
        />
      )}
      <CodeEditor label={t("outputPane.editLabel")} language="json" value={text} onChange={setText} minHeight="160px" />
      {results === undefined && (
        <Text size="sm" role="alert" c="var(--status-failed)">
          {t("outputPane.mustBeObject")}
        </Text>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          disabled={results === undefined}
          onClick={() => results && onSave({ status, results, ...(isDecision && { decision }) })}
        >
          {t("outputPane.savePin")}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t("outputPane.cancel")}
        </Button>
      </Group>
    </>
  );
}
