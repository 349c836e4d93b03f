import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Token, tokensListed, tokensQuery } from "../../api/queries/tokens.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";
import { type TokenPlace, useTokenPlace } from "./token-place.ts";
import { TokenTable } from "./token-table.tsx";

const actsAs: Readonly<Record<TokenPlace["kind"], string>> = {
  team: "Each acts as the team itself, within its permissions, and stays when the one who made it leaves.",
  workflow: "Each acts as this workflow and reaches nothing else.",
  user: "Each acts as you, and loses what you lose.",
  global: "Each acts on the whole instance, within its permissions. Prefer tokens of a team or of a workflow.",
};

/** Tokens of a team, a workflow, a user or the instance: list, make (shown once), revoke. */
export function TokenSection(props: TokenPlace) {
  const place = useTokenPlace(props);
  const isNobody = props.kind === "user" && place.principal === undefined;
  const { data, error, refetch } = useQuery({ ...tokensQuery(props.kind, place.principal), enabled: !isNobody });
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  if (isNobody)
    return (
      <EmptyState title="There is nobody to have tokens">
        <Text className="quiet">{place.whyNotCreate}</Text>
      </EmptyState>
    );
  const make = (
    <DeedButton size="xs" whyNot={place.whyNotCreate} onClick={() => setMaking(true)}>
      Create a token
    </DeedButton>
  );
  const explanation =
    props.kind === "user" && props.principal !== undefined ? "Each acts as this user, and loses what the user loses." : actsAs[props.kind];
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="quiet">
          Tokens are for programs. {explanation}
        </Text>
        {data !== undefined && data.content.length > 0 && make}
      </Group>
      {data !== undefined && data.content.length > 0 && (
        <TokenTable tokens={data.content} whyNotRevoke={place.whyNotRevoke} onRevoke={setRevoked} />
      )}
      {data !== undefined && data.totalElements > tokensListed && (
        <Text size="sm" className="quiet">
          The newest {tokensListed} of {data.totalElements}.
        </Text>
      )}
      {data?.content.length === 0 && (
        <EmptyState title="No tokens yet">
          <Text className="quiet">A script, a pipeline or the command line signs in with one.</Text>
          {make}
        </EmptyState>
      )}
      {data === undefined &&
        (error === null ? <LoadingState label="Loading the tokens" /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
      <CreateTokenDialog isOpen={isMaking} onClose={() => setMaking(false)} kind={props.kind} team={props.team} place={place} />
      <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />
    </Stack>
  );
}
