import { Badge, Tabs } from "@mantine/core";
import { t } from "../../texts/task-form.ts";
import { countFaults } from "./faults.ts";
import { GeneralFields } from "./general-fields.tsx";
import { ParamBuilder } from "./param-builder.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { ResultFields } from "./result-fields.tsx";
import { StepList } from "./step-list.tsx";
import { hasSteps } from "./task-draft.ts";
import type { TaskPartProps } from "./task-part-props.ts";

interface TaskFormProps extends TaskPartProps {
  /** Its name and type can still be chosen. */
  isNew: boolean;
  part: string;
  onPart: (part: string) => void;
}

/** A task definition as a form, in parts. All of it is read from the document and written to it; the text stands beside. */
export function TaskForm({ part, onPart, isNew, ...props }: TaskFormProps) {
  const { draft, faults } = props;
  const parts = [
    { key: "general", label: t("taskForm.general"), faults: countFaults(faults, "/metadata/name", "/spec/description") },
    ...(hasSteps(draft.type)
      ? [{ key: "steps", label: t("taskForm.steps"), count: draft.steps.length, faults: countFaults(faults, "/spec/steps") }]
      : []),
    { key: "params", label: t("taskForm.parameters"), count: draft.params.length, faults: countFaults(faults, "/spec/params") },
    { key: "results", label: t("taskForm.results"), count: draft.results.length, faults: countFaults(faults, "/spec/results") },
    { key: "place", label: t("taskForm.whereRuns"), faults: countFaults(faults, "/metadata/annotations") },
  ];
  const shown = parts.some(({ key }) => key === part) ? part : "general";
  return (
    <Tabs value={shown} onChange={(next) => onPart(next ?? "general")} keepMounted={false}>
      <Tabs.List mb="sm" style={{ flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" }}>
        {parts.map((one) => (
          <Tabs.Tab key={one.key} value={one.key} px="xs" rightSection={<PartMark {...one} />}>
            {one.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown}>
        {shown === "general" && <GeneralFields {...props} isNew={isNew} />}
        {shown === "steps" && <StepList {...props} />}
        {shown === "params" && <ParamBuilder {...props} />}
        {shown === "results" && <ResultFields {...props} />}
        {shown === "place" && <PlaceFields {...props} />}
      </Tabs.Panel>
    </Tabs>
  );
}

function PartMark({ count, faults }: { count?: number; faults: number }) {
  if (faults > 0)
    return (
      <Badge size="sm" color="red.8" variant="filled" aria-label={t("taskForm.problems", { faults })}>
        {faults}
      </Badge>
    );
  if (count === undefined || count === 0) return null;
  return <span className="quiet">{count}</span>;
}
