import { Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allTeamsQuery } from "../../../api/queries/identity/session.ts";
import type { TaskScope } from "../../../api/queries/task/tasks.ts";
import { useCaller } from "../../../hooks/use-caller.ts";
import { useChanges } from "../../../hooks/use-renew.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/task/tasks.ts";
import type { StoredTask } from "../editor/use-task-base.ts";
import classes from "../tasks.module.css";
import { TryForm } from "./try-form.tsx";
import { TryRun } from "./try-run.tsx";
import { type TriedDraft, TrySource } from "./try-source.tsx";

/** A global task isn't shown inside a team's frame, so the changes of the team in which it is tried are followed here. */
function FollowTeam({ team }: { team: string }) {
  useChanges(team);
  return null;
}

interface TryTabProps {
  scope: TaskScope;
  name: string;
  stored: StoredTask | undefined;
  /** Undefined: nothing has changed since the task was saved. */
  draft: TriedDraft | undefined;
}

/**
 * Runs the task now, on its own, with the given parameters: the draft if there is one, otherwise the saved version. The outcome is shown
 * beside the form.
 */
export function TryTab({ scope, name, stored, draft }: TryTabProps) {
  const teams = useTryTeams(scope);
  const [{ try: run, in: chosen }, change] = useSearchState({ try: "", in: "" });
  const [isSaved, setSaved] = useState(false);
  const team = scope ?? (chosen || (teams[0] ?? ""));
  const shown = draft === undefined || (isSaved && stored !== undefined) ? undefined : draft;
  return (
    <div className={classes.split}>
      {scope === undefined && run !== "" && <FollowTeam team={team} />}
      <Stack gap="sm">
        <TrySource task={stored?.task} draft={draft} isSaved={shown === undefined} onSaved={setSaved} />
        {scope === undefined && <TryTeam teams={teams} team={team} onTeam={(next) => change({ in: next, try: "" })} />}
        <TryForm
          {...{ scope, team, name }}
          task={stored?.task}
          draft={shown}
          onStarted={(id) => change({ try: id, in: scope === undefined ? team : "" })}
        />
      </Stack>
      {run === "" ? (
        <Text className="quiet">{t("tryTab.statusResultsLogAppear")}</Text>
      ) : (
        <TryRun key={run} team={team} run={String(run)} />
      )}
    </div>
  );
}

/**
 * The names of the teams in which a task can be tried: its own team, or for a global task all teams that the caller can see. Administrators
 * are rarely members, so membership isn't required.
 */
function useTryTeams(scope: TaskScope): readonly string[] {
  const { teams } = useCaller();
  const { data } = useQuery({ ...allTeamsQuery({ search: "", status: "active", page: 0 }), enabled: scope === undefined });
  if (scope !== undefined) return [scope];
  return (data?.content ?? teams).map(({ name }) => name ?? "");
}

interface TryTeamProps {
  teams: readonly string[];
  team: string;
  onTeam: (team: string) => void;
}

/** The team in which a global task is tried. */
function TryTeam({ teams, team, onTeam }: TryTeamProps) {
  return (
    <Select
      label={t("tryTab.team")}
      description={t("tryTab.teamHelp")}
      data={teams}
      value={team || null}
      allowDeselect={false}
      searchable
      onChange={(next) => onTeam(next ?? "")}
    />
  );
}
