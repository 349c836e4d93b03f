import type { ReactNode } from "react";
import { NotLoaded, type QueryResult } from "./not-loaded.tsx";

interface QueryViewProps<Data> {
  query: QueryResult<Data>;
  /** What is loading, such as `Loading tokens`. */
  label: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Shows what a query asked for, once it is there. */
export function QueryView<Data>({ query, children, ...rest }: QueryViewProps<Data>) {
  return query.data === undefined ? <NotLoaded query={query} {...rest} /> : children(query.data);
}
