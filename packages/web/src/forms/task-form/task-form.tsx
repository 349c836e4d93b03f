import { Badge, Button, Group, Select, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { stepActionType } from "@millrace/contract/status.ts";
import { IconPlus } from "@tabler/icons-react";
import { t } from "../../texts/task/task-form.ts";
import { DraftText } from "./draft-text.tsx";
import { ListItem } from "./list-item.tsx";
import { PairRows } from "./pair-rows.tsx";
import { ParamBuilder } from "./param-builder.tsx";
import { StepFields } from "./step-fields.tsx";
import { countFaults, faultAt, hasSteps, type TaskPartProps, taskTypeChoices } from "./task-draft.ts";
import { addItem, annotationPath, moveItem, readYaml, removeItem, setYaml } from "./yaml-edit.ts";

const list = ["spec", "steps"];

/** The programs of the task, executed one after the other. */
function StepList({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  const { steps } = draft;
  return (
    <Stack gap="sm">
      {steps.length === 0 && <Text className="quiet">{t("stepList.taskTypeNeedsLeast")}</Text>}
      {steps.map((step, index) => (
        <ListItem
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing else stays the same while the name is typed
          key={index}
          title={titleOf(step.name, index)}
          index={index}
          count={steps.length}
          isReadOnly={isReadOnly}
          onMove={(to) => edit((text) => moveItem(text, list, index, to))}
          onRemove={() => edit((text) => removeItem(text, list, index))}
        >
          {step.stepAction === "" ? (
            <StepFields step={step} index={index} edit={edit} faults={faults} isReadOnly={isReadOnly} />
          ) : (
            <Text className="quiet">{t.rich("stepList.runsStepAction", { action: () => <code>{step.stepAction}</code> })}</Text>
          )}
        </ListItem>
      ))}
      {!isReadOnly && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => edit((text) => addItem(text, list, { name: `step-${steps.length + 1}`, script: "#!/bin/sh\nset -eu\n" }))}
        >
          {t("stepList.addStep")}
        </Button>
      )}
    </Stack>
  );
}

interface TaskFormProps extends TaskPartProps {
  /** Whether its name and type can still be chosen. */
  isNew: boolean;
  part: string;
  onPart: (part: string) => void;
}

/** A task definition as a form with several parts. Everything is read from the document and written to it; the text is shown beside it. */
export function TaskForm({ part, onPart, isNew, ...props }: TaskFormProps) {
  const { draft, faults } = props;
  const isAction = draft.type === stepActionType;
  const parts = [
    { key: "general", label: t("taskForm.general"), faults: countFaults(faults, "/metadata/name", "/spec/description") },
    ...(hasSteps(draft.type)
      ? [{ key: "steps", label: t("taskForm.steps"), count: draft.steps.length, faults: countFaults(faults, "/spec/steps") }]
      : []),
    { key: "params", label: t("taskForm.parameters"), count: draft.params.length, faults: countFaults(faults, "/spec/params") },
    { key: "results", label: t("taskForm.results"), count: draft.results.length, faults: countFaults(faults, "/spec/results") },
    ...(isAction ? [] : [{ key: "place", label: t("taskForm.whereRuns"), faults: countFaults(faults, "/metadata/annotations") }]),
  ];
  const shown = parts.some(({ key }) => key === part) ? part : "general";
  return (
    <Tabs value={shown} onChange={(next) => onPart(next ?? "general")} keepMounted={false}>
      <Tabs.List mb="sm" style={{ flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" }}>
        {parts.map(({ key, label, ...mark }) => (
          <Tabs.Tab key={key} value={key} px="xs" rightSection={<PartMark {...mark} />}>
            {label}
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

/** The results of the task, for later tasks. */
function ResultFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
  return (
    <Stack gap="xs">
      <Text className="quiet">
        {t.rich("resultFields.stepWritesEachFile", {
          code: () => <code>{'printf ok > "$(results.NAME.path)"'}</code>,
          code2: () => <code>$(tasks.TASK.results.NAME)</code>,
        })}
      </Text>
      <PairRows
        label={t("resultFields.results")}
        noun={t("resultFields.result")}
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

/** The name of the task, and where to find it. */
function GeneralFields({ draft, edit, faults, isReadOnly, isNew }: TaskPartProps & { isNew: boolean }) {
  const annotation = (name: string) => (value: string) => edit((text) => annotationOf(text, name, value));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DraftText
          label={t("generalFields.name")}
          value={draft.name}
          isRequired
          isReadOnly={isReadOnly || !isNew}
          description={isNew ? t("generalFields.nameHelp") : t("generalFields.nameHelpCantChangedLater")}
          error={faultAt(faults, "metadata", "name")}
          onChange={(name) => edit((text) => setYaml(text, ["metadata", "name"], name))}
        />
        <DraftText
          label={t("generalFields.displayName")}
          value={draft.displayName}
          isReadOnly={isReadOnly}
          description={t("generalFields.displayNameHelp")}
          onChange={annotation("displayName")}
        />
      </SimpleGrid>
      <DraftText
        label={t("generalFields.description")}
        value={draft.description}
        isLong
        isReadOnly={isReadOnly}
        error={faultAt(faults, "spec", "description")}
        onChange={(value) => edit((text) => setYaml(text, ["spec", "description"], value))}
      />
      <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
        <DraftText label={t("generalFields.category")} value={draft.category} isReadOnly={isReadOnly} onChange={annotation("category")} />
        <DraftText label={t("generalFields.icon")} value={draft.icon} isReadOnly={isReadOnly} onChange={annotation("icon")} />
      </Group>
      <Select
        label={t("generalFields.type")}
        size="sm"
        data={taskTypeChoices(draft.type)}
        value={draft.type}
        readOnly={isReadOnly || !isNew || draft.type === stepActionType}
        allowDeselect={false}
        description={isNew ? t("generalFields.typeHelp") : t("generalFields.nameHelpCantChangedLater")}
        onChange={(type) => type !== null && annotation("type")(type)}
      />
    </Stack>
  );
}

/** The workers that may run it, and the annotations without a field of their own. */
function PlaceFields({ draft, edit, faults, isReadOnly }: TaskPartProps) {
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

/** The text with that annotation of the service set. */
function annotationOf(text: string, name: string, value: string): string {
  const read = readYaml(text);
  return "document" in read ? setYaml(text, annotationPath(read.document, name), value) : text;
}

function titleOf(name: string, place: number): string {
  const index = String(place + 1);
  return name ? t("stepList.namedStep", { index, name }) : t("stepList.step", { index });
}
