import { ApiError } from "@millrace/client/api-error.ts";
import { lazy, type ReactNode, Suspense } from "react";
import { LoadingState, NotLoaded, type QueryResult } from "../../ui/state/not-loaded.tsx";
import type { Sought } from "./missing-page.tsx";

/** Few links lead to nothing. */
const MissingPage = lazy(async () => ({ default: (await import("./missing-page.tsx")).MissingPage }));

export function Missing(props: { sought: Sought; error?: unknown }) {
  return (
    <Suspense fallback={<LoadingState />}>
      <MissingPage {...props} />
    </Suspense>
  );
}

interface PageNotLoadedProps {
  query: QueryResult<unknown>;
  label: string;
  rows?: number;
  sought: Sought;
}

/** As `NotLoaded`, for the thing that a whole page is about: where it is missing or hidden, the page says how to go on. */
export function PageNotLoaded({ sought, ...rest }: PageNotLoadedProps) {
  const { data, error } = rest.query;
  const status = error instanceof ApiError ? error.status : undefined;
  if (data === undefined && (status === 404 || status === 403)) return <Missing sought={sought} error={error} />;
  return <NotLoaded {...rest} />;
}

interface PageViewProps<Data> extends PageNotLoadedProps {
  query: QueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** As `QueryView`, for the thing that a whole page is about. */
export function PageView<Data>({ query, children, ...rest }: PageViewProps<Data>) {
  return query.data === undefined ? <PageNotLoaded query={query} {...rest} /> : children(query.data);
}
