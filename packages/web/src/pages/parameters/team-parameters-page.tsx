import { Box } from "@mantine/core";
import { ParameterTable } from "../../components/parameters/parameter-table.tsx";
import { useTeam } from "../../hooks/use-team.ts";
import { PageHeader } from "../../ui/page-header.tsx";

/** Parameters and secrets of the team. */
export function TeamParametersPage() {
  const team = useTeam();
  return (
    <>
      <PageHeader title="Parameters" detail="Shared values and secrets for this team" />
      <Box px="md" pb="md">
        <ParameterTable team={team} />
      </Box>
    </>
  );
}
