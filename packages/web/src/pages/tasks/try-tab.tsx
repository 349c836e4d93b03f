import { Select, Stack, Text, Title } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { Task, TaskScope } from "../../api/queries/tasks.ts";
import { tryTask } from "../../api/queries/tries.ts";
import { ParameterForm, type ParamValues } from "../../forms/parameter-form.tsx";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import { Note } from "./note.tsx";
import classes from "./tasks.module.css";
import { TryRun } from "./try-run.tsx";

/** Runs the stored task now, by itself, with what is given; what comes of it stands beside. */
export function TryTab({ scope, task, isDirty }: { scope: TaskScope; task: Task; isDirty: boolean }) {
  const { teams } = useCaller();
  const [{ try: run, in: chosen }, change] = useSearchState({ try: "", in: "" });
  const team = scope ?? (chosen || teams[0]?.name || "");
  const rights = useRights(team);
  const [values, setValues] = useState<ParamValues>({});
  const start = useMutation({
    mutationFn: () => tryTask(team, scope === undefined ? (task.id ?? task.name) : task.name, task.version, values),
    onSuccess: ({ id }) => change({ try: id, in: scope === undefined ? team : "" }),
  });
  const params = task.spec?.params ?? [];
  return (
    <div className={classes.split}>
      <Stack gap="sm">
        <Title order={2}>Run version {task.version} now</Title>
        {isDirty && <Note title="Your changes are not in it">It runs what is saved.</Note>}
        {scope === undefined && (
          <Select
            label="In the team"
            description="Its parameters, quotas and workers are used"
            data={teams.map(({ name }) => name)}
            value={team || null}
            allowDeselect={false}
            searchable
            onChange={(next) => change({ in: next ?? "", try: "" })}
          />
        )}
        {params.length === 0 ? (
          <Text className="quiet">It takes no parameters.</Text>
        ) : (
          <ParameterForm params={params} values={values} onChange={setValues} />
        )}
        {start.error !== null && (
          <Text role="alert" c="var(--status-failed)">
            {messageOf(start.error)}
          </Text>
        )}
        <DeedButton
          style={{ alignSelf: "flex-start" }}
          leftSection={<IconPlayerPlay size={16} />}
          loading={start.isPending}
          whyNot={team === "" ? "You are in no team in which it could run" : (rights.whyNot("task/action") ?? whyNotActive(task))}
          onClick={() => start.mutate()}
        >
          Run it
        </DeedButton>
        <Text size="sm" className="quiet">
          It runs as any run of the team, counts against its quotas, and is cleared away an hour after its end.
        </Text>
      </Stack>
      {run === "" ? (
        <Text className="quiet">Status, results and log appear here.</Text>
      ) : (
        <TryRun key={run} team={team} run={String(run)} />
      )}
    </div>
  );
}

function whyNotActive({ status }: Task): string | undefined {
  return status === "active" ? undefined : "The task is archived; make it active first";
}
