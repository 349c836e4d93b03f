import { ErrorState } from "./error-state.tsx";
import { LoadingState } from "./loading-state.tsx";

/** The part of a query's result that is needed here. Several queries are joined by their caller, without a way to ask again. */
export interface QueryResult<Data> {
  data: Data | undefined;
  error: unknown;
  refetch?: () => unknown;
}

interface NotLoadedProps {
  query: QueryResult<unknown>;
  /** What is loading, such as `Loading tokens`. */
  label: string;
  rows?: number;
}

/** Instead of what a query asks for: that it is loading, or why it can't be. Nothing once data is there, even if a later request failed. */
export function NotLoaded({ query, label, rows = 5 }: NotLoadedProps) {
  const { data, error, refetch } = query;
  if (data !== undefined) return null;
  if (error === null) return <LoadingState label={label} rows={rows} />;
  return <ErrorState error={error} {...(refetch && { onRetry: () => void refetch() })} />;
}
