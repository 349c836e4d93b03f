import { ActionIcon, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { textOf } from "../../forms/parameter-values.ts";
import { t } from "../../texts/results.ts";
import panel from "../../ui/panel.module.css";
import { typeOf } from "../canvas/flow-elements.ts";
import { type DraftTask, sameJson } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { addTask, changeTask } from "../draft/graph-edits.ts";
import { useSaving } from "../draft/save-context.ts";
import { useSectionDraft } from "../draft/use-section-draft.ts";
import { useAvailable } from "../form/node-parameters.tsx";
import { setParam } from "../form/node-params.ts";
import { ReferenceField } from "../form/reference-field.tsx";
import { PreviewProvider } from "../node/preview-provider.tsx";
import { freshName, newSetter, type Result, resultFault, resultsFault, resultTypes, settersOf, undeclared } from "./result-list.ts";

/** The declared results: their names and types, and the values in the tasks that set them. */
export function ResultList({ section, setters }: ReturnType<typeof useResultList>) {
  const { list } = section.value;
  const put = (next: Result[]) => section.change({ list: next });
  const others = undeclared(list, setters);
  return (
    <>
      <Text className="quiet">{t(list.length === 0 ? "resultsSection.none" : "resultsSection.about")}</Text>
      {list.map((result, index) => (
        <ResultEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed, the order doesn't
          key={index}
          result={result}
          fault={resultFault(list, index) ?? section.faultAt(`/results/${index}`)}
          setters={setters.get(result.name) ?? []}
          onChange={(next) => put(list.map((other, place) => (place === index ? next : other)))}
          onRemove={() => put(list.filter((_, place) => place !== index))}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => put([...list, { name: freshName(list) }])}
        >
          {t("resultsSection.add")}
        </Button>
        {others.length > 0 && (
          <Button variant="default" size="xs" onClick={() => put([...list, ...others.map((name) => ({ name }))])}>
            {t("resultsSection.declare", { names: others.join(", ") })}
          </Button>
        )}
      </Group>
    </>
  );
}

/** The declarations are members of the document, the values belong to tasks: both are saved and discarded here. */
export function useResultList() {
  const { history, catalog, change } = useDraft();
  const { save } = useSaving();
  const section = useSectionDraft<{ list: Result[] }>({
    section: "results",
    members: ["results"],
    read: ({ results }) => ({ list: results ?? [] }),
    write: ({ list }, before) =>
      resultsFault(list) === undefined
        ? { results: list.length === 0 && !before.results?.length ? before.results : noneOr(list) }
        : undefined,
  });
  const type = (task: DraftTask) => typeOf(task, catalog);
  const setters = settersOf(history.present.tasks, type);
  const [now, saved] = [history.present, history.baseline].map(({ tasks }) => tasks.filter((task) => type(task) === "setwfproperty"));
  const isOther = !sameJson(now, saved);
  return {
    setters,
    section: {
      ...section,
      isChanged: section.isChanged || isOther,
      save: () => save({ members: isOther ? ["results", "tasks"] : ["results"] }),
      reset: () => {
        section.reset();
        const kept = new Map(history.baseline.tasks.map((task) => [task.name, task]));
        for (const { name } of now ?? []) change((draft) => changeTask(draft, name, (task) => kept.get(name) ?? task));
      },
    },
  };
}

function noneOr(list: Result[]): Result[] | null {
  return list.length === 0 ? null : list;
}

interface ResultEditorProps {
  result: Result;
  fault: string | undefined;
  /** The tasks that set it. */
  setters: readonly DraftTask[];
  onChange: (result: Result) => void;
  onRemove: () => void;
}

function ResultEditor({ result, fault, setters, onChange, onRemove }: ResultEditorProps) {
  const { change } = useDraft();
  return (
    <section className={panel.panel} aria-label={t("resultsSection.result", { name: result.name })}>
      <Stack gap="sm" className={panel.body} style={{ borderTop: 0 }}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t("resultsSection.name")}
            required
            maxLength={200}
            error={fault}
            value={result.name}
            onChange={(event) => onChange({ ...result, name: event.currentTarget.value })}
          />
          <Select
            label={t("resultsSection.type")}
            description={t("resultsSection.typeHelp")}
            data={[{ value: "", label: t("resultsSection.any") }, ...resultTypes()]}
            value={result.type ?? ""}
            allowDeselect={false}
            onChange={(type) => onChange({ ...result, type: (type || null) as Result["type"] })}
          />
        </SimpleGrid>
        <TextInput
          label={t("resultsSection.description")}
          value={result.description ?? ""}
          onChange={(event) => onChange({ ...result, description: event.currentTarget.value || null })}
        />
        {setters.map((task) => (
          <PreviewProvider key={task.name} task={task}>
            <ValueField task={task} />
          </PreviewProvider>
        ))}
        <Group justify="space-between">
          {setters.length === 0 ? (
            <Group gap="xs">
              <Text size="sm">{t("resultsSection.nobodySets")}</Text>
              <Button
                size="compact-sm"
                variant="default"
                disabled={result.name.trim() === ""}
                onClick={() => change((draft) => addTask(draft, ...newSetter(draft.tasks, result.name)).draft)}
              >
                {t("resultsSection.addTask")}
              </Button>
            </Group>
          ) : (
            <span />
          )}
          <ActionIcon variant="subtle" color="gray" aria-label={t("resultsSection.remove", { name: result.name })} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </Stack>
    </section>
  );
}

/** The value, as the task that sets it contains it. */
function ValueField({ task }: { task: DraftTask }) {
  const { change } = useDraft();
  const available = useAvailable(task);
  const value = textOf(task.params?.find(({ name }) => name === "value")?.value);
  return (
    <ReferenceField
      label={t("resultsSection.value", { task: task.name })}
      value={value}
      available={available}
      param="value"
      onChange={(text) =>
        change((draft) => changeTask(draft, task.name, (each) => setParam(each, "value", text)), `param ${task.name} value`)
      }
    />
  );
}
