import { Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPinFilled, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { PreviewReference } from "../../api/queries/workflow/trials.ts";
import { ParameterForm } from "../../forms/parameter-form.tsx";
import { t } from "../../texts/workflow/trial.ts";
import { Fold } from "../../ui/fold.tsx";
import { statusLook } from "../../ui/mark/status-mark.tsx";
import { exactTime } from "../../ui/time/time-format.ts";
import { useDraft } from "../draft/draft-context.ts";
import { useTrial } from "../trial/trial-context.ts";
import { type InputGroup, inputGroups, shortName } from "./input-groups.ts";
import classes from "./node-editor.module.css";
import { usePreview } from "./preview-context.ts";

/** The values that the task can use: parameters and the results of earlier tasks, with real values. */
export function InputPane() {
  const { references, error } = usePreview();
  const [search, setSearch] = useState("");
  const groups = inputGroups(references, search);
  return (
    <>
      <RunChoice />
      <TextInput
        size="xs"
        aria-label={t("inputPane.search")}
        placeholder={t("inputPane.search")}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Text size="xs" className="quiet">
        {t("inputPane.howTo")}
      </Text>
      {error !== null && error !== undefined && (
        <Text size="sm" role="alert" c="var(--status-failed)">
          {messageOf(error)}
        </Text>
      )}
      {groups.length === 0 && (
        <Text size="sm" className="quiet">
          {t(references.length === 0 ? "inputPane.nothing" : "inputPane.noMatch")}
        </Text>
      )}
      {groups.map((group) => (
        <Group key={`${group.kind} ${group.task}`} group={group} isFolded={group.kind === "system" && search.trim() === ""} />
      ))}
      <TrialParameters />
    </>
  );
}

function RunChoice() {
  const { recentRuns, fromRun, setFromRun, latest } = useTrial();
  const runs = recentRuns.map((run) => ({ run, id: run.id }));
  const data = runs.map(({ run }) => ({
    value: run.id,
    label: t("inputPane.run", {
      status: statusLook(run.status, run.phase, run.waitKinds).word,
      time: exactTime(run.startTime ?? run.creationDate),
    }),
  }));
  const trial = latest?.run;
  const all = trial ? [{ value: trial.id, label: t("inputPane.trial", { time: exactTime(trial.creationDate) }) }, ...data] : data;
  return (
    <Select
      size="xs"
      label={t("inputPane.from")}
      placeholder={t("inputPane.noRun")}
      data={all}
      value={fromRun ?? null}
      allowDeselect={false}
      disabled={all.length === 0}
      onChange={(run) => run !== null && setFromRun(run)}
    />
  );
}

function titleOf({ kind, task }: InputGroup): string {
  if (kind === "result") return t("inputPane.results", { task: task ?? "" });
  return t(`inputPane.${kind}`);
}

function Group({ group, isFolded }: { group: InputGroup; isFolded: boolean }) {
  const title = titleOf(group);
  const values = (
    <ul className={classes.values}>
      {group.references.map((each) => (
        <li key={each.reference}>
          <Value reference={each} />
        </li>
      ))}
    </ul>
  );
  if (isFolded) return <Fold title={title}>{values}</Fold>;
  return (
    <section aria-label={title}>
      <h3 className={classes.group}>{title}</h3>
      {values}
    </section>
  );
}

/** Inserted into a field by clicking, by Enter, or by dragging. */
function Value({ reference: { reference, lastValue, secret, task } }: { reference: PreviewReference }) {
  const { insert } = usePreview();
  const { pins, stale } = useTrial();
  const name = shortName({ reference });
  return (
    <button
      type="button"
      className={classes.input}
      draggable
      title={reference}
      onDragStart={(event) => event.dataTransfer.setData("text/plain", reference)}
      onClick={() => {
        if (insert(reference)) return;
        void navigator.clipboard?.writeText(reference);
        notifications.show({ message: t("inputPane.noField") });
      }}
    >
      <span className="only-heard">{t("inputPane.insert", { name: reference })} </span>
      <span className={classes.name}>{name}</span>
      <span className={classes.last}>
        {lastValue === undefined ? <span className="quiet">{t("inputPane.noValue")}</span> : secret ? "••••••" : lastValue}
      </span>
      {task !== undefined && pins.has(task) && (
        <IconPinFilled
          size={14}
          aria-label={t(stale.has(task) ? "inputPane.stalePin" : "inputPane.pinned")}
          color={stale.has(task) ? "var(--status-waiting)" : "currentColor"}
        />
      )}
    </button>
  );
}

/** Parameter values for trials, if those of the last run don't fit. */
function TrialParameters() {
  const { history } = useDraft();
  const { params, setParams } = useTrial();
  if (history.present.params.length === 0) return null;
  return (
    <Fold title={t("inputPane.setParameters")}>
      <Text size="xs" className="quiet" mb="xs">
        {t("inputPane.setParametersHelp")}
      </Text>
      <ParameterForm params={history.present.params} values={params} onChange={setParams} />
    </Fold>
  );
}
