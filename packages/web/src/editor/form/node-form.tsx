import { ActionIcon, Button, Tabs, Text, TextInput, Title, Tooltip } from "@mantine/core";
import { IconArrowsDiagonal, IconArrowUpCircle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { TaskIcon } from "../../graph/task-icon.tsx";
import { t } from "../../texts/workflow/designer.ts";
import { useSelection } from "../canvas/flow-elements.ts";
import { type DraftTask, isMarker } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask, findTask, renameTask } from "../draft/graph-edits.ts";
import { nestedIn } from "../nested/nested-draft.ts";
import { PreviewProvider } from "../node/preview-provider.tsx";
import { NodeLinks } from "./node-links.tsx";
import { NodeParameters } from "./node-parameters.tsx";
import { NodeResults } from "./node-results.tsx";
import { NodeSettings } from "./node-settings.tsx";
import { ProblemList } from "./problem-list.tsx";
import classes from "./side-panel.module.css";
import { useNodeDefinition } from "./use-node-definition.ts";

/** Everything about one task of the graph, beside the canvas. */
export function NodeForm({ task, onOpen }: { task: DraftTask; onOpen: (task: string) => void }) {
  const { whyNotEdit } = useDraft();
  const { definition } = useNodeDefinition(task);
  if (isMarker(task)) return <MarkerForm task={task} isFixed={whyNotEdit !== undefined} />;
  return (
    <PreviewProvider task={task}>
      <div className={classes.head}>
        <TaskIcon type={task.type ?? definition?.type} icon={definition?.icon} size={20} />
        <Title order={2} className={classes.title ?? ""}>
          {nestedIn(task) ? t("nested.title") : (definition?.displayName ?? task.taskRef ?? t("nodeForm.task"))}
        </Title>
        <Tooltip label={t("nodeForm.openLarge")}>
          <ActionIcon variant="default" aria-label={t("nodeForm.openLarge")} onClick={() => onOpen(task.name)}>
            <IconArrowsDiagonal size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.body}>
        <NodeFields task={task} />
      </div>
    </PreviewProvider>
  );
}

/** The fields of a task, used in the side panel and in the large editor. */
export function NodeFields({ task }: { task: DraftTask }) {
  const { problems, whyNotEdit } = useDraft();
  const mine = problems.filter(({ node }) => node === task.name);
  const isFixed = whyNotEdit !== undefined;
  const panel = (name: string, content: React.ReactNode) => (
    <Tabs.Panel value={name} pt="sm">
      <fieldset className={classes.plain} disabled={isFixed}>
        {content}
      </fieldset>
    </Tabs.Panel>
  );
  return (
    <div>
      <fieldset className={classes.plain} disabled={isFixed}>
        <NameField task={task} />
        {nestedIn(task) ? <NestedHelp /> : <NodeVersion task={task} />}
      </fieldset>
      <div style={{ marginTop: 8 }}>
        <ProblemList problems={mine} />
      </div>
      <Tabs defaultValue="parameters" keepMounted={false} mt="xs">
        <Tabs.List>
          <Tabs.Tab value="parameters">{t("nodeForm.parameters")}</Tabs.Tab>
          <Tabs.Tab value="links">{t("nodeForm.links")}</Tabs.Tab>
          <Tabs.Tab value="results">{t("nodeForm.results")}</Tabs.Tab>
          <Tabs.Tab value="settings">{t("nodeForm.settings")}</Tabs.Tab>
        </Tabs.List>
        {panel("parameters", <NodeParameters task={task} />)}
        {panel("links", <NodeLinks task={task} />)}
        {panel("results", <NodeResults task={task} />)}
        {panel("settings", <NodeSettings task={task} />)}
      </Tabs>
    </div>
  );
}

function MarkerForm({ task, isFixed }: { task: DraftTask; isFixed: boolean }) {
  return (
    <div className={classes.body}>
      <Title order={2}>{task.name}</Title>
      <Text size="sm" className="quiet" mb="sm">
        {task.name === "start" ? t("nodeForm.everyRunStartsHere") : t("nodeForm.runEndsHereWhen")}
      </Text>
      <fieldset className={classes.plain} disabled={isFixed}>
        <NodeLinks task={task} />
      </fieldset>
    </div>
  );
}

/** Renames the task on blur, on Enter, or before saving by keyboard, so that a half-typed name is never applied. */
function NameField({ task }: { task: DraftTask }) {
  const { history, change } = useDraft();
  const { rename } = useSelection();
  const [name, setName] = useState(task.name);
  useEffect(() => setName(task.name), [task.name]);
  const isTaken = name !== task.name && findTask(history.present, name.trim()) !== undefined;
  const error = isTaken ? t("nodeForm.anotherTaskHasName") : name.trim() === "" ? t("nodeForm.enterName") : undefined;
  const commit = () => {
    const to = name.trim();
    if (error !== undefined || to === task.name) return setName(task.name);
    change((draft) => renameTask(draft, task.name, to));
    rename(task.name, to);
  };
  return (
    <TextInput
      label={t("nodeForm.name")}
      description={t("nodeForm.nameHelp")}
      value={name}
      error={error}
      maxLength={200}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => (event.key === "Enter" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s")) && commit()}
    />
  );
}

/** Shown instead of the description of the task definition, which says that it runs another workflow and would confuse here. */
function NestedHelp() {
  return (
    <Text size="sm" className="quiet">
      {t("nested.paletteHelp")}
    </Text>
  );
}

/** The version of the task definition in use, with a way to update it. */
function NodeVersion({ task }: { task: DraftTask }) {
  const { change, catalog } = useDraft();
  const { latest } = useNodeDefinition(task);
  const newest = latest?.version ?? 0;
  if (catalog === undefined) return null;
  if (latest === undefined)
    return (
      <Text size="sm">{task.taskRef == null ? t("nodeVersion.noTaskSelected") : t("nodeVersion.unknownTask", { name: task.taskRef })}</Text>
    );
  const isOutdated = task.taskVersion != null && newest > task.taskVersion;
  return (
    <div>
      <Text size="sm" className="quiet" component="div">
        {latest.description}
      </Text>
      <Text size="sm" component="div" mt={4}>
        {t.rich(isOutdated ? "nodeVersion.outdated" : "nodeVersion.latest", {
          code: () => <code>{task.taskRef}</code>,
          version: String(task.taskVersion ?? newest),
        })}
      </Text>
      {isOutdated && (
        <Button
          mt={4}
          size="compact-sm"
          variant="light"
          leftSection={<IconArrowUpCircle size={16} aria-hidden />}
          onClick={() => change((draft) => changeTask(draft, task.name, (each) => ({ ...each, taskVersion: newest })))}
        >
          {t("nodeVersion.useVersion", { newest: String(newest) })}
        </Button>
      )}
    </div>
  );
}
