import { notifications } from "@mantine/notifications";
import type { WorkflowSort } from "@millrace/contract/workflow/workflow-list.ts";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { showPipelineReport } from "./pipeline-report.tsx";

/** Maps the sort orders of the URL to those of the service, which sorts over all pages. */
export const sortOf = { name: "name", last: "lastRun", rate: "successRate", created: "creationDate" } as const satisfies Record<
  string,
  WorkflowSort
>;
export type SortKey = keyof typeof sortOf;

/** The state of the list as the URL stores it. */
export type ListState = {
  q: string;
  /** Empty: all statuses. */
  status: string;
  /** Each `KEY=VALUE`. */
  labels: string[];
  sort: SortKey;
  desc: boolean;
  view: string;
  page: number;
  /** The key of the label by which the list is grouped; empty: no groups. */
  group: string;
  /** The ids of the expanded groups: see `GroupOfWorkflows.id`. */
  unfolded: string[];
};

export const listDefaults: ListState = {
  ...{ q: "", status: "", labels: [], sort: "last", desc: true, view: "table", page: 1 },
  ...{ group: "", unfolded: [] },
};

/** The text of a Tekton pipeline. */
interface PipelineText {
  pipeline: string;
}

const asYaml = { headers: { "content-type": "application/x-yaml" }, bodySerializer: (text: unknown) => text as string };

/**
 * Creates a workflow and opens it in the designer. Reports how many secrets were not copied, and which parts of a pipeline have no effect.
 */
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

/** The name that the service will derive from the typed text: see docs/workflows.md. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-\s']/gu, "")
    .replaceAll(/[\s']/g, "-")
    .replaceAll(/-+/g, "-");
}
