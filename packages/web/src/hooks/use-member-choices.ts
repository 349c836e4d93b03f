import type { ComboboxItem, OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type Member, membersQuery } from "../api/queries/members.ts";

const listed = 50;

/**
 * Members to choose from, by name: those that the service finds for the typed text, since a team may have thousands.
 * @param toValue the value of a choice
 * @param chosen are kept among the choices, so that their labels are known
 */
export function useMemberChoices(
  team: string,
  typed: string,
  toValue: (member: Member) => string,
  chosen: readonly ComboboxItem[],
): { data: ComboboxItem[]; found: readonly ComboboxItem[]; filter: OptionsFilter } {
  // With a single choice, the field contains its label until the user types: that isn't a search.
  const [search] = useDebouncedValue(chosen.some(({ label }) => label === typed) ? "" : typed, 200);
  const { data } = useQuery(membersQuery(team, { search, sort: "name", limit: listed }));
  const found = (data?.content ?? []).map((member) => ({ value: toValue(member), label: memberText(member) }));
  const others = chosen.filter(({ value }) => !found.some((one) => one.value === value));
  const isFound = (value: string, label: string) =>
    found.some((one) => one.value === value) || label.toLowerCase().includes(search.trim().toLowerCase());
  return {
    data: [...others, ...found],
    found,
    // Shows everything that the service found, wherever in it the text occurs.
    filter: ({ options }) => options.filter((option) => !("value" in option) || isFound(option.value, option.label)),
  };
}

/** The email address distinguishes members of the same name. */
function memberText({ name, email }: Member): string {
  return name && name !== email ? `${name} (${email})` : (email ?? "");
}
