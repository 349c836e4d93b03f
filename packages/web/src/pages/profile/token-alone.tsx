import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/profile.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";

/** Who came with a token that is nobody's: what it is, and how to come as a person. */
export function TokenAlone() {
  const { kind, name, expirationDate, permissions, teams } = useCaller();
  const scope = permissions.length > 0 ? t("tokenAlone.wholeInstance") : teams.map((team) => team.displayName || team.name).join(", ");
  return (
    <EmptyState title={t("tokenAlone.youreSignedToken", { kind, name })}>
      <Stack gap={4} align="center" maw={520}>
        <Text>{t("tokenAlone.tokenIsntUserAccount")}</Text>
        <Text className="quiet">
          {t.rich(expirationDate === null ? "tokenAlone.accessWithoutEnd" : "tokenAlone.accessUntil", {
            scope: scope || t("tokenAlone.nothing"),
            time: () => <TimeText at={expirationDate} isExact />,
          })}
        </Text>
        <Text className="quiet">
          {t.rich("tokenAlone.haveProfileSignOut", {
            link: (chunks) => (
              <Anchor component={Link} to={paths.profile("appearance")}>
                {chunks}
              </Anchor>
            ),
          })}
        </Text>
      </Stack>
    </EmptyState>
  );
}
