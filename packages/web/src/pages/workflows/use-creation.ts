import { notifications } from "@mantine/notifications";
import type { WorkflowSort } from "@millrace/contract/workflow-list.ts";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import type { Workflow } from "../../api/queries/workflows.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";

/** What the address says of the order, and what the service calls it: it sorts over all pages. */
export const sortOf = { name: "name", last: "lastRun", rate: "successRate", created: "creationDate" } as const satisfies Record<
  string,
  WorkflowSort
>;
export type SortKey = keyof typeof sortOf;

/** What of the list is in the address. */
export type ListState = {
  q: string;
  /** Empty: all. */
  status: string;
  /** Each `KEY=VALUE`. */
  labels: string[];
  sort: SortKey;
  desc: boolean;
  view: string;
  page: number;
};

export const listDefaults: ListState = { q: "", status: "", labels: [], sort: "last", desc: true, view: "table", page: 1 };

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

/** The name that the service will make of what is typed: see docs/workflows.md. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-\s']/gu, "")
    .replaceAll(/[\s']/g, "-")
    .replaceAll(/-+/g, "-");
}
