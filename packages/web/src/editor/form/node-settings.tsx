import { Checkbox, NumberInput, Select, Switch, Text, TextInput } from "@mantine/core";
import { t } from "../../texts/workflow/designer.ts";
import { typeOf } from "../canvas/flow-elements.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { itemsExpression } from "../node/expressions.ts";
import { LoopFields } from "./node-loop.tsx";
import { useAvailable } from "./node-parameters.tsx";
import { NodeTurn } from "./node-turn.tsx";
import { ReferenceField } from "./reference-field.tsx";
import { ItemsPreview } from "./repeat-preview.tsx";

type Change = (change: Partial<DraftTask>, key?: string) => void;

/** How the task is executed: time limits, retries, once per item of a list, what happens when a worker is lost, and storage. */
export function NodeSettings({ task }: { task: DraftTask }) {
  const { change, catalog } = useDraft();
  const set: Change = (members, key) =>
    change((draft) => changeTask(draft, task.name, (each) => ({ ...each, ...members })), key && `${key} ${task.name}`);
  return (
    <>
      <NodeTurn task={task} />
      <NumberInput
        size="sm"
        label={t("nodeSettings.timeoutMinutes")}
        description={t("nodeSettings.timeoutMinutesHelp")}
        min={0}
        max={525_600}
        allowDecimal={false}
        value={task.timeout ?? ""}
        onChange={(value) => set({ timeout: value === "" ? null : Number(value) }, "timeout")}
      />
      <RetryFields task={task} set={set} />
      {typeOf(task, catalog) !== "decision" && (
        <>
          <ForEachFields task={task} set={set} />
          <LoopFields task={task} set={set} />
        </>
      )}
      <Select
        label={t("nodeSettings.whenWorkerLost")}
        data={[
          { value: "retry", label: t("nodeSettings.retry") },
          { value: "fail", label: t("nodeSettings.failTaskMustNot") },
        ]}
        value={task.onLost ?? "retry"}
        allowDeselect={false}
        onChange={(value) => set({ onLost: value as "retry" | "fail" })}
      />
      <NodeStorage task={task} />
    </>
  );
}

function RetryFields({ task, set }: { task: DraftTask; set: Change }) {
  const { retry } = task;
  const setRetry = (change: Partial<NonNullable<typeof retry>>) => set({ retry: { count: 1, ...retry, ...change } }, "retry");
  return (
    <>
      <Switch
        label={t("nodeSettings.retryFailure")}
        checked={retry != null}
        onChange={(event) => set({ retry: event.currentTarget.checked ? { count: 3 } : null })}
      />
      {retry && (
        <>
          <NumberInput
            label={t("nodeSettings.maximumRetries")}
            min={0}
            max={100}
            allowDecimal={false}
            value={retry.count}
            onChange={(value) => setRetry({ count: Number(value) || 0 })}
          />
          <NumberInput
            label={t("nodeSettings.firstDelayMilliseconds")}
            min={0}
            max={86_400_000}
            placeholder="1000"
            value={retry.backoffMs ?? ""}
            onChange={(value) => setRetry({ backoffMs: value === "" ? null : Number(value) })}
          />
          <NumberInput
            label={t("nodeSettings.delayMultiplier")}
            min={1}
            max={100}
            placeholder="2"
            value={retry.factor ?? ""}
            onChange={(value) => setRetry({ factor: value === "" ? null : Number(value) })}
          />
          <Checkbox.Group
            label={t("nodeSettings.retryAfter")}
            value={retry.on ?? ["failed", "timedout"]}
            onChange={(on) => setRetry({ on: on as ("failed" | "timedout")[] })}
          >
            <Checkbox value="failed" label={t("nodeSettings.failure")} mt={4} />
            <Checkbox value="timedout" label={t("nodeSettings.timeout")} mt={4} />
          </Checkbox.Group>
        </>
      )}
    </>
  );
}

function ForEachFields({ task, set }: { task: DraftTask; set: Change }) {
  const available = useAvailable(task);
  const { forEach } = task;
  const items = typeof forEach?.items === "string" ? forEach.items : JSON.stringify(forEach?.items ?? []);
  return (
    <>
      <Switch
        label={t("nodeSettings.repeatEachItem")}
        checked={forEach != null}
        onChange={(event) => set(event.currentTarget.checked ? { forEach: { items: "" }, loop: null } : { forEach: null })}
      />
      {forEach && (
        <>
          <ReferenceField
            label={t("nodeSettings.list")}
            description={t("nodeSettings.listHelp")}
            value={items}
            available={available}
            param={itemsExpression}
            onChange={(text) => set({ forEach: { ...forEach, items: listOr(text) } }, "items")}
          />
          <ItemsPreview isBatched={(forEach.batchSize ?? 1) > 1} />
          <NumberInput
            label={t("nodeSettings.parallelItems")}
            min={1}
            max={1000}
            placeholder="10"
            allowDecimal={false}
            value={forEach.parallel ?? ""}
            onChange={(value) => set({ forEach: { ...forEach, parallel: value === "" ? null : Number(value) } }, "parallel")}
          />
          <NumberInput
            label={t("nodeSettings.batchSize")}
            description={t("nodeSettings.batchSizeHelp")}
            min={1}
            max={10_000}
            allowDecimal={false}
            value={forEach.batchSize ?? ""}
            onChange={(value) => set({ forEach: { ...forEach, batchSize: value === "" ? null : Number(value) } }, "batchSize")}
          />
          <Checkbox
            label={t("nodeSettings.stopAtFailure")}
            checked={forEach.stopAtFailure === true}
            onChange={(event) => set({ forEach: { ...forEach, stopAtFailure: event.currentTarget.checked || null } })}
          />
          <Text size="xs" className="quiet">
            {t("nodeSettings.eachResultBecomesList")}
          </Text>
        </>
      )}
    </>
  );
}

function listOr(text: string): string | unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

/** The workflow storage that the task can access, and the mount paths. */
function NodeStorage({ task }: { task: DraftTask }) {
  const { history, change } = useDraft();
  const all = (history.present["workspaces"] ?? []) as { name: string; type?: string }[];
  const own = task.workspaces ?? [];
  const set = (workspaces: DraftTask["workspaces"], key?: string) =>
    change((draft) => changeTask(draft, task.name, (each) => ({ ...each, workspaces })), key);
  if (all.length === 0 && own.length === 0) return null;
  const names = [...new Set([...all, ...own].map(({ name }) => name))];
  return (
    <div>
      <Text size="sm" fw={500}>
        {t("nodeStorage.storage")}
      </Text>
      {names.map((name) => {
        const used = own.find((each) => each.name === name);
        const type = all.find((each) => each.name === name)?.type;
        return (
          <div key={name}>
            <Checkbox
              mt={4}
              label={name}
              checked={used !== undefined}
              onChange={(event) =>
                set(event.currentTarget.checked ? [...own, { name, ...(type && { type }) }] : own.filter((each) => each.name !== name))
              }
            />
            {used && (
              <TextInput
                size="xs"
                label={t("nodeStorage.folder", { name })}
                placeholder={`/workspace/${name}`}
                value={used.mountPath ?? ""}
                onChange={(event) => {
                  const mountPath = event.currentTarget.value;
                  set(
                    own.map((each) => (each === used ? { ...each, mountPath } : each)),
                    `storage ${task.name} ${name}`,
                  );
                }}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
