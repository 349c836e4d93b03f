import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { teamsQuery } from "../api/queries/teams.ts";
import { paths } from "../paths.ts";

/** The team that is looked at, and the way to the others. */
export function TeamSwitch({ team }: { team: string | undefined }) {
  const { data } = useQuery(teamsQuery());
  const navigate = useNavigate();
  const choices = (data?.content ?? []).map(({ name, displayName }) => ({ value: name, label: displayName || name }));
  return (
    <Select
      aria-label="Team"
      placeholder="Choose a team"
      size="xs"
      searchable
      data={choices}
      value={team ?? null}
      nothingFoundMessage="No team of this name"
      onChange={(chosen) => chosen && void navigate({ to: paths.workflows(chosen) })}
    />
  );
}
