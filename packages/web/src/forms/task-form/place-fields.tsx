import { Select, Stack, Text } from "@mantine/core";
import { t } from "../../texts/task-form.ts";
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
        label={t("placeFields.executor")}
        size="sm"
        placeholder={t("placeFields.executorPlaceholder")}
        data={["process", "container", "kubernetes"]}
        value={draft.executor || null}
        clearable={!isReadOnly}
        readOnly={isReadOnly}
        error={fault("executor")}
        clearButtonProps={{ "aria-label": t("placeFields.anyExecutor") }}
        onChange={annotation("executor")}
      />
      <Select
        label={t("placeFields.network")}
        size="sm"
        data={[
          { value: "none", label: t("placeFields.none") },
          { value: "outbound", label: t("placeFields.outbound") },
          { value: "host", label: t("placeFields.hostIfAllowed") },
        ]}
        placeholder={t("placeFields.networkPlaceholder")}
        value={draft.network || null}
        clearable={!isReadOnly}
        readOnly={isReadOnly}
        error={fault("network")}
        clearButtonProps={{ "aria-label": t("placeFields.defaultNetwork") }}
        onChange={annotation("network")}
      />
      <DraftText
        label={t("placeFields.requiredWorkerLabels")}
        placeholder={t("placeFields.requiredWorkerLabelsPlaceholder")}
        value={draft.runsOn}
        isReadOnly={isReadOnly}
        error={fault("runs-on")}
        onChange={annotation("runs-on")}
      />
      {draft.annotations.length > 0 && (
        <Stack gap={4} role="group" aria-label={t("placeFields.otherAnnotations")}>
          <Text fw={500}>{t("placeFields.otherAnnotations")}</Text>
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
