import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ownTokensQuery } from "../../api/queries/own-tokens.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { OwnTokenTable } from "./own-token-table.tsx";

/** Tokens that act as the person who is signed in. */
export function OwnTokens() {
  const { userId } = useCaller();
  const { data, error, refetch } = useQuery(ownTokensQuery(userId ?? ""));
  if (data === undefined)
    return error === null ? <LoadingState label="Loading the tokens" /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.content.length === 0) {
    return (
      <EmptyState title="No tokens yet">
        <Text className="quiet">A token lets a program act as you, with your roles as they are at the moment.</Text>
      </EmptyState>
    );
  }
  return <OwnTokenTable tokens={data.content} />;
}
