import { ErrorState } from "../ui/state/error-state.tsx";

/** What a page itself did not catch, such as a part of the interface that could not be loaded after a new version of the service. */
export function RouteError({ error }: { error: unknown }) {
  return <ErrorState error={error} onRetry={() => window.location.reload()} />;
}
