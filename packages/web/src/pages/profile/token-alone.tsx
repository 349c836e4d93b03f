import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";

/** Who came with a token that is nobody's: what it is, and how to come as a person. */
export function TokenAlone() {
  const { kind, name, expirationDate, permissions, teams } = useCaller();
  const scope = permissions.length > 0 ? "the whole instance" : teams.map((team) => team.displayName || team.name).join(", ");
  return (
    <EmptyState title={`You're signed in with the ${kind} token “${name}”`}>
      <Stack gap={4} align="center" maw={520}>
        <Text>
          A token isn't a user account: it has no name, password or sessions. The audit log records its actions under the token’s name.
        </Text>
        <Text className="quiet">
          It can access {scope || "nothing"}
          {expirationDate === null ? " and does not expire." : " until "}
          {expirationDate !== null && <TimeText at={expirationDate} isExact />}
        </Text>
        <Text className="quiet">
          To have a profile, sign out and sign in as a user.{" "}
          <Anchor component={Link} to={paths.profile("appearance")}>
            The appearance
          </Anchor>{" "}
          is stored in this browser.
        </Text>
      </Stack>
    </EmptyState>
  );
}
