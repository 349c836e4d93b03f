import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Token, tokensListed, tokensQuery } from "../../api/queries/tokens.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";
import { type TokenPlace, useTokenPlace } from "./token-place.ts";
import { TokenTable } from "./token-table.tsx";

const actsAs: Readonly<Record<TokenPlace["kind"], string>> = {
  team: "Team tokens act as the team, within their permissions. They stay when their creator leaves.",
  workflow: "Workflow tokens can reach only this workflow.",
  user: "Personal tokens act as you. If you lose a permission, they lose it too.",
  global: "Global tokens act on the whole instance, within their permissions. Prefer tokens of a team or a workflow.",
};

/** Tokens of a team, a workflow, a user or the instance: list, make (shown once), revoke. */
export function TokenSection(props: TokenPlace) {
  const place = useTokenPlace(props);
  const isNobody = props.kind === "user" && place.principal === undefined;
  const query = useQuery({ ...tokensQuery(props.kind, place.principal), enabled: !isNobody });
  const { data } = query;
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  if (isNobody)
    return (
      <EmptyState title="No personal tokens">
        <Text className="quiet">{place.whyNotCreate}</Text>
      </EmptyState>
    );
  const make = (
    <ActionButton size="xs" whyNot={place.whyNotCreate} onClick={() => setMaking(true)}>
      Create token
    </ActionButton>
  );
  const explanation =
    props.kind === "user" && props.principal !== undefined
      ? "Tokens of a user act as that user. If the user loses a permission, they lose it too."
      : actsAs[props.kind];
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
          <Text className="quiet">Scripts, pipelines and the command line use a token to sign in.</Text>
          {make}
        </EmptyState>
      )}
      <NotLoaded query={query} label="Loading tokens" />
      <CreateTokenDialog isOpen={isMaking} onClose={() => setMaking(false)} kind={props.kind} team={props.team} place={place} />
      <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />
    </Stack>
  );
}
