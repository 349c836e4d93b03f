import { Button, Group, Text } from "@mantine/core";
import { IconPencil, IconPin, IconPinnedOff } from "@tabler/icons-react";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import type { TaskPin } from "../../api/queries/workflow/trials.ts";
import { ShortLog } from "../../components/log/short-log.tsx";
import { textOf } from "../../forms/parameter-values.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/workflow/trial.ts";
import { Tag } from "../../ui/mark/state-mark.tsx";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { typeOf } from "../canvas/flow-elements.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { useTrial } from "../trial/trial-context.ts";
import { pinOf } from "../trial/trial-state.ts";
import classes from "./node-editor.module.css";
import { PinForm } from "./pin-form.tsx";

/** The output of the task's last trial, or the pinned output instead. */
export function OutputPane({ task }: { task: DraftTask }) {
  const { catalog } = useDraft();
  const { outputs, pins, stale, setPin, error } = useTrial();
  const [isEditing, setEditing] = useState(false);
  const pin = pins.get(task.name);
  const output = outputs.get(task.name);
  const running = useRunning(task.name);
  const shown = pin ?? (output && pinOf(output));
  if (isEditing)
    return (
      <PinForm
        pin={shown ?? {}}
        isDecision={typeOf(task, catalog) === "decision"}
        onCancel={() => setEditing(false)}
        onSave={(next) => {
          setPin(task.name, next);
          setEditing(false);
        }}
      />
    );
  return (
    <>
      <Group gap="xs">
        {shown && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={pin ? <IconPinnedOff size={14} aria-hidden /> : <IconPin size={14} aria-hidden />}
            onClick={() => setPin(task.name, pin ? undefined : shown)}
          >
            {t(pin ? "outputPane.unpin" : "outputPane.pin")}
          </Button>
        )}
        <Button size="compact-sm" variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setEditing(true)}>
          {t("outputPane.edit")}
        </Button>
      </Group>
      {error !== null && error !== undefined && (
        <Text size="sm" role="alert" c="var(--status-failed)">
          {messageOf(error)}
        </Text>
      )}
      <OutputState {...{ pin, running }} task={output?.task} isStale={pin ? stale.has(task.name) : output?.isStale === true} />
      {shown && <Results pin={shown} />}
      {!shown && running === undefined && (
        <Text size="sm" className="quiet">
          {t("outputPane.nothing")}
        </Text>
      )}
      <OutputLog task={running ?? output?.task} isOver={running === undefined} />
    </>
  );
}

/** The task in the newest trial, while that is running. */
function useRunning(name: string): TaskRun | undefined {
  const { latest } = useTrial();
  const task = latest?.run?.tasks?.find((each) => each.name === name);
  const isOpen = latest?.run !== undefined && latest.run.phase !== "completed" && latest.run.phase !== "finalized";
  return isOpen && task !== undefined && !task.pinned ? task : undefined;
}

interface OutputStateProps {
  pin: TaskPin | undefined;
  running: TaskRun | undefined;
  task: TaskRun | undefined;
  isStale: boolean;
}

function OutputState({ pin, running, task, isStale }: OutputStateProps) {
  const shown = running ?? task;
  const why = sentenceOf(shown?.statusMessage || running?.waitingFor || "");
  return (
    <div role="status" className={classes.state}>
      {shown && <StatusMark status={shown.status} />}
      {pin && (
        <span title={t("outputPane.pinnedHelp")}>
          <Tag>{t("outputPane.pinned")}</Tag>
        </span>
      )}
      {(pin || !running) && isStale && (
        <span title={t(pin ? "outputPane.stalePinHelp" : "outputPane.staleHelp")}>
          <Tag tone="changed">{t("outputPane.stale")}</Tag>
        </span>
      )}
      {why && <Text size="sm">{why}</Text>}
    </div>
  );
}

function Results({ pin: { results, decision } }: { pin: TaskPin }) {
  const rows = [...(decision ? [{ name: t("outputPane.decision"), value: decision as unknown }] : []), ...(results ?? [])];
  return (
    <section aria-label={t("outputPane.results")}>
      <h3 className={classes.group}>{t("outputPane.results")}</h3>
      {rows.length === 0 && (
        <Text size="sm" className="quiet">
          {t("outputPane.noResults")}
        </Text>
      )}
      <dl className={classes.results}>
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
            <dd tabIndex={0}>{textOf(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function OutputLog({ task, isOver }: { task: TaskRun | undefined; isOver: boolean }) {
  if (task?.startTime === undefined || task.needs === undefined) return null;
  return (
    <section aria-label={t("outputPane.log")}>
      <h3 className={classes.group}>{t("outputPane.log")}</h3>
      <ShortLog key={task.id} taskRun={task.id} isOver={isOver} />
    </section>
  );
}
