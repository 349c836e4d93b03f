/**
 * What is shown of a list while another page or search of it is loaded: what was there before, but never that of another team.
 * For `placeholderData`. @param place of the list: the team, or what stands for it in the query's key
 */
export const keptPageOf =
  (place: string) =>
  <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query?.queryKey[1] === place ? previous : undefined;
