import { ActionIcon, Button, Select, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { markerOf } from "../../graph/node-size.ts";
import { t } from "../../texts/workflow/designer.ts";
import { typeOf } from "../canvas/flow-elements.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { connect, disconnect, findTask, whyNotConnect } from "../draft/graph-edits.ts";
import { ConditionField, DecisionField } from "./edge-form.tsx";
import classes from "./side-panel.module.css";

/** The incoming and outgoing links of one task. Links can also be created here, without drawing. */
export function NodeLinks({ task }: { task: DraftTask }) {
  const { history } = useDraft();
  const followers = history.present.tasks.flatMap(({ name, dependencies }) =>
    dependencies?.some(({ taskRef }) => taskRef === task.name) ? [name] : [],
  );
  return (
    <>
      {markerOf(task) !== "start" && (
        <>
          <Text size="sm" fw={500}>
            {t("nodeLinks.runsAfter")}
          </Text>
          <Text size="xs" className="quiet">
            {t("nodeLinks.startsWhenAllThese")}
          </Text>
          {(task.dependencies ?? []).map(({ taskRef }) => (
            <LinkRow key={taskRef} from={taskRef} to={task.name} other={taskRef} />
          ))}
          <NewLink task={task} isBefore />
        </>
      )}
      {markerOf(task) !== "end" && (
        <>
          <Text size="sm" fw={500} mt="xs">
            {t("nodeLinks.leads")}
          </Text>
          {followers.map((name) => (
            <LinkRow key={name} from={task.name} to={name} other={name} />
          ))}
          <NewLink task={task} />
        </>
      )}
    </>
  );
}

function LinkRow({ from, to, other }: { from: string; to: string; other: string }) {
  const { history, change, catalog } = useDraft();
  const source = findTask(history.present, from);
  const dependency = findTask(history.present, to)?.dependencies?.find(({ taskRef }) => taskRef === from);
  if (!dependency) return null;
  return (
    <div>
      <div className={classes.row}>
        <Text size="sm" component="div">
          {other}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("nodeLinks.removeLink", { from, to })}
          onClick={() => change((draft) => disconnect(draft, from, to))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      {source && typeOf(source, catalog) === "decision" ? (
        <DecisionField from={from} to={to} dependency={dependency} />
      ) : (
        source && markerOf(source) !== "start" && <ConditionField from={from} to={to} dependency={dependency} />
      )}
    </div>
  );
}

function NewLink({ task, isBefore = false }: { task: DraftTask; isBefore?: boolean }) {
  const { history, change } = useDraft();
  const [other, setOther] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const ends = (name: string): [string, string] => (isBefore ? [name, task.name] : [task.name, name]);
  // Cycles are computed only while the selection is open.
  const names = isOpen
    ? history.present.tasks.map(({ name }) => name).filter((name) => whyNotConnect(history.present, ...ends(name)) === undefined)
    : other === null
      ? []
      : [other];
  return (
    <div className={classes.row}>
      <Select
        size="xs"
        label={isBefore ? t("nodeLinks.connect") : t("nodeLinks.connect2")}
        placeholder={t("nodeLinks.selectTaskPlaceholder")}
        searchable
        data={names}
        value={other}
        onChange={setOther}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        nothingFoundMessage={t("nodeLinks.noTaskConnected")}
      />
      <Button
        size="xs"
        variant="default"
        disabled={other === null}
        onClick={() => {
          change((draft) => connect(draft, ...ends(other ?? "")));
          setOther(null);
        }}
      >
        {t("nodeLinks.connectAction")}
      </Button>
    </div>
  );
}
