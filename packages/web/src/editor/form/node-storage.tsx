import { Checkbox, Text, TextInput } from "@mantine/core";
import { t } from "../../texts/designer-form.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeTask } from "../draft/graph-edits.ts";

/** Which storage of the workflow the task sees, and where. */
export function NodeStorage({ task }: { task: DraftTask }) {
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
