import { useQuery } from "@tanstack/react-query";
import { installationQuery, integrationsQuery } from "../../../api/queries/integrations.ts";

/** What is known of the codehost that the team is linked to. Who may not see it tries with names of his own. */
export function useCodehost(team: string) {
  const integrations = useQuery({ ...integrationsQuery(team), retry: false });
  const isLinked = integrations.data?.some(({ id, status }) => id === "codehost_app" && status === "linked") === true;
  const installation = useQuery({ ...installationQuery(team), enabled: isLinked });
  const owner = installation.data?.orgSlug;
  return {
    installation: installation.data?.installationId ?? 0,
    repositories: (installation.data?.repositories ?? []).map((name) => (name.includes("/") || !owner ? name : `${owner}/${name}`)),
    isKnown: !integrations.isPending && !(isLinked && installation.isPending),
  };
}
