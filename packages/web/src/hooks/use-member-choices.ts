import type { ComboboxItem, OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type Member, membersQuery } from "../api/queries/members.ts";

const listed = 50;

/**
 * Members to choose from, by name: those that the service finds by what is typed, since a team may have thousands.
 * @param toValue what a choice stands for
 * @param chosen stay among the choices, so that their labels are known
 */
export function useMemberChoices(
  team: string,
  typed: string,
  toValue: (member: Member) => string,
  chosen: readonly ComboboxItem[],
): { data: ComboboxItem[]; found: readonly ComboboxItem[]; filter: OptionsFilter } {
  // What stands in the field of one choice is its label until somebody types: that is not a search.
  const [search] = useDebouncedValue(chosen.some(({ label }) => label === typed) ? "" : typed, 200);
  const { data } = useQuery(membersQuery(team, { search, sort: "name", limit: listed }));
  const found = (data?.content ?? []).map((member) => ({ value: toValue(member), label: memberText(member) }));
  const others = chosen.filter(({ value }) => !found.some((one) => one.value === value));
  const isFound = (value: string, label: string) =>
    found.some((one) => one.value === value) || label.toLowerCase().includes(search.trim().toLowerCase());
  return {
    data: [...others, ...found],
    found,
    // What the service found is shown, whatever of it the text was found in.
    filter: ({ options }) => options.filter((option) => !("value" in option) || isFound(option.value, option.label)),
  };
}

/** Somebody among others, who may have the same name. */
function memberText({ name, email }: Member): string {
  return name && name !== email ? `${name} (${email})` : (email ?? "");
}
