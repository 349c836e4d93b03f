import { Select, Stack, Text } from "@mantine/core";
import { DraftText } from "./draft-text.tsx";
import { faultAt } from "./faults.ts";
import { annotationOf } from "./set-annotation.ts";
import type { TaskPartProps } from "./task-part-props.ts";
import { setYaml } from "./yaml-edit.ts";

/** Which worker may take it, and the annotations that have no field of their own. */
export function PlaceFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  const annotation = (name: string) => (value: string | null) => edit((text) => annotationOf(text, name, value ?? ""));
  const fault = (name: string) => faultAt(faults, "metadata", "annotations", `millrace.dev~1${name}`);
  return (
    <Stack gap="sm">
      <Select
        label="Executor"
        size="sm"
        placeholder="Any suitable executor"
        data={["process", "container", "kubernetes"]}
        value={draft.executor || null}
        clearable={!isReadOnly}
        readOnly={isReadOnly}
        error={fault("executor")}
        clearButtonProps={{ "aria-label": "Any executor" }}
        onChange={annotation("executor")}
      />
      <Select
        label="Network"
        size="sm"
        data={[
          { value: "none", label: "None" },
          { value: "outbound", label: "Outbound" },
          { value: "host", label: "Host (if allowed)" },
        ]}
        placeholder="Default: outbound with an image, otherwise none"
        value={draft.network || null}
        clearable={!isReadOnly}
        readOnly={isReadOnly}
        error={fault("network")}
        clearButtonProps={{ "aria-label": "Default network" }}
        onChange={annotation("network")}
      />
      <DraftText
        label="Required worker labels"
        placeholder="linux, gpu"
        value={draft.runsOn}
        isReadOnly={isReadOnly}
        error={fault("runs-on")}
        onChange={annotation("runs-on")}
      />
      {draft.annotations.length > 0 && (
        <Stack gap={4} role="group" aria-label="Other annotations">
          <Text fw={500}>Other annotations</Text>
          {draft.annotations.map(([key, value]) => (
            <DraftText
              key={key}
              label={key}
              value={value}
              isReadOnly={isReadOnly}
              onChange={(next) => edit((text) => setYaml(text, ["metadata", "annotations", key], next))}
            />
          ))}
        </Stack>
      )}
    </Stack>
  );
}
