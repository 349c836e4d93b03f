import { notifications } from "@mantine/notifications";
import type { WorkflowSort } from "@millrace/contract/workflow/workflow-list.ts";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { showPipelineReport } from "./pipeline-report.tsx";

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
  /** The key of the label by which the list is grouped; empty: it is not. */
  group: string;
  /** The groups that are unfolded: see `GroupOfWorkflows.id`. */
  unfolded: string[];
};

export const listDefaults: ListState = {
  ...{ q: "", status: "", labels: [], sort: "last", desc: true, view: "table", page: 1 },
  ...{ group: "", unfolded: [] },
};

/** A Tekton pipeline, as it is written. */
interface PipelineText {
  pipeline: string;
}

const asYaml = { headers: { "content-type": "application/x-yaml" }, bodySerializer: (text: unknown) => text as string };

/** Creates a workflow and opens it in the designer. Says how many secrets did not come along, and what of a pipeline has no effect. */
export function useCreation(team: string) {
  const navigate = useNavigate();
  return useApiMutation({
    changes: ["workflows", "team"],
    team,
    leadsAway: true,
    mutationFn: async (document: Workflow | PipelineText) => {
      let missing = "";
      const isPipeline = "pipeline" in document && typeof document.pipeline === "string";
      const content = isPipeline ? { ...asYaml, body: document.pipeline as string } : { body: document as Workflow };
      const created = await call(
        api.POST("/api/v2/team/{team}/workflow", { params: { path: { team } }, ...content }).then((answer) => {
          missing = answer.response.headers.get("x-missing-secrets") ?? "";
          return answer;
        }),
      );
      return { name: created.name, missing, report: isPipeline ? (created.warnings ?? []) : [] };
    },
    onSuccess: async ({ name, missing, report }) => {
      if (report.length > 0) showPipelineReport(report);
      const count = missing.split(",").filter(Boolean).length;
      if (count > 0)
        notifications.show({
          color: "yellow",
          title: t("creation.setSecrets"),
          message: t("creation.secretWasSecretsWere", { count, missing }),
          autoClose: false,
        });
      await navigate({ to: paths.workflow(team, name, "design") });
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
