import { ActionIcon, Button, Code, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../texts/workflow/designer.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { useCalledResults } from "./called-params.ts";
import { fieldsOf } from "./node-params.ts";
import { stepTo } from "./references.ts";
import classes from "./side-panel.module.css";
import { useNodeDefinition } from "./use-node-definition.ts";

/** The results that the task provides to later tasks, and how to refer to them. */
export function NodeResults({ task }: { task: DraftTask }) {
  const { change, team } = useDraft();
  const { definition } = useNodeDefinition(task);
  const called = useCalledResults(team, { type: task.type ?? definition?.type, params: task.params });
  const [name, setName] = useState("");
  const own = task.results ?? [];
  const declared = (definition?.spec?.results ?? []).filter((each) => !own.some((other) => other.name === each.name));
  const set = (results: DraftTask["results"], key?: string) =>
    change((draft) => changeTask(draft, task.name, (each) => ({ ...each, results })), key);
  const add = () => {
    const wanted = name.trim();
    if (wanted === "" || own.some((each) => each.name === wanted)) return;
    set([...own, { name: wanted }]);
    setName("");
  };
  return (
    <>
      {declared.map((result) => (
        <div key={result.name}>
          <Text size="sm" fw={500}>
            {result.name}
          </Text>
          <Reference task={task.name} result={result.name} />
          {result.description && (
            <Text size="xs" className="quiet">
              {result.description}
            </Text>
          )}
        </div>
      ))}
      {called && (
        <CalledResults
          {...called}
          task={task.name}
          results={called.results.filter(({ name }) => ![...declared, ...own].some((each) => each.name === name))}
        />
      )}
      {fieldsOf(task).map((field) => (
        <div key={`field ${field}`}>
          <Text size="sm" fw={500}>
            {field}
          </Text>
          <Reference task={task.name} result={field} />
        </div>
      ))}
      {own.map((result, index) => (
        <div key={result.name}>
          <div className={classes.row}>
            <TextInput
              size="xs"
              label={result.name}
              placeholder={t("nodeResults.descriptionPlaceholder")}
              value={result.description ?? ""}
              onChange={(event) => {
                const description = event.currentTarget.value;
                set(
                  own.map((each, place) => (place === index ? { ...each, description } : each)),
                  `result ${task.name} ${index}`,
                );
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("nodeResults.removeResult", { name: result.name })}
              onClick={() => set(own.filter((_, place) => place !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
          <Reference task={task.name} result={result.name} />
        </div>
      ))}
      <div className={classes.row}>
        <TextInput
          size="xs"
          label={t("nodeResults.addResult")}
          description={t("nodeResults.addResultHelp")}
          placeholder={t("nodeResults.addResultPlaceholder")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t("nodeResults.addResult")}
        </Button>
      </div>
    </>
  );
}

/** The results of the workflow that it runs, in the version that it runs. */
function CalledResults({ task, workflow, version, results }: { task: string } & NonNullable<ReturnType<typeof useCalledResults>>) {
  return (
    <section aria-label={t("nodeResults.ofWorkflow", { workflow, version: String(version) })}>
      <Text size="sm" className="quiet" mt="xs">
        {t(results.length === 0 ? "nodeResults.workflowHasNone" : "nodeResults.ofWorkflow", { workflow, version: String(version) })}
      </Text>
      {results.map(({ name, type, description }) => (
        <div key={name}>
          <Text size="sm" fw={500} component="div">
            {name} {type && <span className="quiet">{type}</span>}
          </Text>
          <Reference task={task} result={name} />
          {description && (
            <Text size="xs" className="quiet">
              {description}
            </Text>
          )}
        </div>
      ))}
    </section>
  );
}

function Reference({ task, result }: { task: string; result: string }) {
  return (
    <Code style={{ background: "var(--ground-sunken)", color: "var(--ink)" }}>{`$(tasks${stepTo(task)}.results${stepTo(result)})`}</Code>
  );
}
