import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TimeText } from "../../ui/time-text.tsx";

/** Who came with a token that is nobody's: what it is, and how to come as a person. */
export function TokenAlone() {
  const { kind, name, expirationDate, permissions, teams } = useCaller();
  const scope = permissions.length > 0 ? "the whole instance" : teams.map((team) => team.displayName || team.name).join(", ");
  return (
    <EmptyState title={`You are here by the ${kind} token “${name}”`}>
      <Stack gap={4} align="center" maw={520}>
        <Text>
          It acts as itself and is no person, so it has no name, password or sessions of its own. What is done with it stands in the audit
          under the token’s name.
        </Text>
        <Text className="quiet">
          It reaches {scope || "nothing"}
          {expirationDate === null ? " and does not expire." : " until "}
          {expirationDate !== null && <TimeText at={expirationDate} isExact />}
        </Text>
        <Text className="quiet">
          To have a profile, sign out and sign in as a person.{" "}
          <Anchor component={Link} to={paths.profile("appearance")}>
            The appearance
          </Anchor>{" "}
          is kept in this browser either way.
        </Text>
      </Stack>
    </EmptyState>
  );
}
