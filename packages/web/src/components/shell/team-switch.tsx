import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { teamQuery, teamsQuery } from "../../api/queries/teams.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";

/** The team that is looked at, and the way to the others: the service looks for what is typed among all of them. */
export function TeamSwitch({ team }: { team: string | undefined }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(isOpen ? typed : "", 200);
  const { data: own } = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined });
  const shown = own?.displayName || team;
  // What stands in the field is the chosen team's name until somebody types: that is not a search.
  const { data } = useQuery(teamsQuery(search === shown ? "" : search));
  const navigate = useNavigate();
  const found = (data?.content ?? []).map(({ name, displayName }) => ({ value: name, label: displayName || name }));
  const isListed = team === undefined || found.some(({ value }) => value === team);
  return (
    <Select
      aria-label={t("teamSwitch.team")}
      placeholder={t("teamSwitch.chooseTeamPlaceholder")}
      size="xs"
      searchable
      data={isListed ? found : [{ value: team, label: shown ?? team }, ...found]}
      filter={({ options, search: text }) =>
        text === shown || text.trim() === ""
          ? options
          : options.filter((option) => !("value" in option) || found.some(({ value }) => value === option.value))
      }
      value={team ?? null}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={t("teamSwitch.noTeamName")}
      onChange={(chosen) => chosen && void navigate({ to: paths.workflows(chosen) })}
    />
  );
}
