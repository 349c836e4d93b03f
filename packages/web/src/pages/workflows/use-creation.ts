import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import type { Workflow } from "../../api/queries/workflows.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";

/** Creates a workflow and opens it in the designer. Says how many secrets did not come along. */
export function useCreation(team: string) {
  const navigate = useNavigate();
  return useApiMutation({
    changes: ["workflows", "team"],
    team,
    leadsAway: true,
    mutationFn: async (document: Workflow) => {
      let missing = "";
      const created = await call(
        api.POST("/api/v2/team/{team}/workflow", { params: { path: { team } }, body: document }).then((answer) => {
          missing = answer.response.headers.get("x-missing-secrets") ?? "";
          return answer;
        }),
      );
      return { name: created.name, missing };
    },
    onSuccess: async ({ name, missing }) => {
      const count = missing.split(",").filter(Boolean).length;
      if (count > 0)
        notifications.show({
          color: "yellow",
          title: t("creation.setSecrets"),
          message: t("creation.secretWasSecretsWere", { count, missing }),
          autoClose: false,
        });
      await navigate({ to: paths.workflow(team, name) });
    },
  });
}
