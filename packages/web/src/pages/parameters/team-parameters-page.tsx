import { Box } from "@mantine/core";
import { ParameterSection } from "../../components/parameters/parameter-section.tsx";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/parameters.ts";
import { PageHeader } from "../../ui/page-header.tsx";

/** The parameters and secrets of the team. */
export function TeamParametersPage() {
  const team = useTeam();
  return (
    <>
      <PageHeader title={t("teamParametersPage.parameters")} detail={t("teamParametersPage.sharedValuesSecretsTeam")} />
      <Box px="md" pb="md">
        <ParameterSection team={team} />
      </Box>
    </>
  );
}
