import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * What the service has now, as after a save. A request for the same that is under way, for example since a change was reported, may
 * have been answered before the save and would be shared: it is given up.
 */
export async function fetchFresh<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await client.cancelQueries({ queryKey: query.queryKey, exact: true });
  return client.fetchQuery({ ...query, staleTime: 0 });
}
