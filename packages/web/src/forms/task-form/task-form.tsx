import { Badge, Group, Select, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { countFaults, faultAt } from "./faults.ts";
import { ParamBuilder } from "./param-builder.tsx";
import { StepList } from "./step-list.tsx";
import { hasSteps } from "./task-draft.ts";
import { type TaskPartProps } from "./task-part-props.ts";
import { DraftText } from "./draft-text.tsx";
import { annotationOf } from "./set-annotation.ts";
import { taskTypeChoices } from "./task-type-words.ts";
import { setYaml } from "./yaml-edit.ts";
import { PairRows } from "./pair-rows.tsx";

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
    { key: "general", label: "General", faults: countFaults(faults, "/metadata/name", "/spec/description") },
    ...(hasSteps(draft.type)
      ? [{ key: "steps", label: "Steps", count: draft.steps.length, faults: countFaults(faults, "/spec/steps") }]
      : []),
    { key: "params", label: "Parameters", count: draft.params.length, faults: countFaults(faults, "/spec/params") },
    { key: "results", label: "Results", count: draft.results.length, faults: countFaults(faults, "/spec/results") },
    { key: "place", label: "Where it runs", faults: countFaults(faults, "/metadata/annotations") },
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
      <Badge size="sm" color="red.8" variant="filled" aria-label={`${faults} problems`}>
        {faults}
      </Badge>
    );
  if (count === undefined || count === 0) return null;
  return <span className="quiet">{count}</span>;
}

/** How the task is called, and where people find it. */
function GeneralFields({ draft, edit, faults, isReadOnly, isNew }: TaskPartProps & { isNew: boolean }) {
  const annotation = (name: string) => (value: string) => edit((text) => annotationOf(text, name, value));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DraftText
          label="Name"
          value={draft.name}
          isRequired
          isReadOnly={isReadOnly || !isNew}
          description={isNew ? "Letters, digits and hyphens. Can't be changed later" : "Can't be changed later"}
          error={faultAt(faults, "metadata", "name")}
          onChange={(name) => edit((text) => setYaml(text, ["metadata", "name"], name))}
        />
        <DraftText
          label="Display name"
          value={draft.displayName}
          isReadOnly={isReadOnly}
          description="Shown instead of the name"
          onChange={annotation("displayName")}
        />
      </SimpleGrid>
      <DraftText
        label="Description"
        value={draft.description}
        isLong
        isReadOnly={isReadOnly}
        error={faultAt(faults, "spec", "description")}
        onChange={(value) => edit((text) => setYaml(text, ["spec", "description"], value))}
      />
      <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
        <DraftText label="Category" value={draft.category} isReadOnly={isReadOnly} onChange={annotation("category")} />
        <DraftText label="Icon" value={draft.icon} isReadOnly={isReadOnly} onChange={annotation("icon")} />
      </Group>
      <Select
        label="Type"
        size="sm"
        data={taskTypeChoices(draft.type)}
        value={draft.type}
        readOnly={isReadOnly || !isNew}
        allowDeselect={false}
        description={isNew ? "What does the work. Can't be changed later" : "Can't be changed later"}
        onChange={(type) => type !== null && annotation("type")(type)}
      />
    </Stack>
  );
}

/** Which worker may take it, and the annotations that have no field of their own. */
function PlaceFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
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

/** What the task leaves for the tasks after it. */
function ResultFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  return (
    <Stack gap="xs">
      <Text className="quiet">
        A step writes each to a file: <code>{'printf ok > "$(results.NAME.path)"'}</code>. Tasks after it read{" "}
        <code>$(tasks.TASK.results.NAME)</code>.
      </Text>
      <PairRows
        label="Results"
        noun="result"
        members={["name", "description"]}
        pairs={draft.results.map(({ name, description }) => [name, description])}
        path={["spec", "results"]}
        edit={edit}
        error={faultAt(faults, "spec", "results")}
        isReadOnly={isReadOnly}
      />
    </Stack>
  );
}
