import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * The current state on the server, e.g. after a save. A request for the same data that is already in progress, perhaps because a change was
 * reported, may have been answered before the save and would be shared, so it is cancelled.
 */
export async function fetchFresh<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await client.cancelQueries({ queryKey: query.queryKey, exact: true });
  return client.fetchQuery({ ...query, staleTime: 0 });
}
