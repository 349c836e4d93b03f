import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type WorkflowOverview = components["schemas"]["WorkflowOverview"];

const gridRuns = 30;

/** The state of a workflow and its last runs. @param firstTask the first row of the grid, which shows a hundred tasks at a time */
export const workflowOverviewQuery = (team: string, workflow: string, firstTask = 0) =>
  queryOptions({
    queryKey: ["workflow-overview", team, workflow, firstTask],
    queryFn: () =>
      call(
        api.GET("/api/v2/team/{team}/workflow/{workflow}/overview", {
          params: { path: { team, workflow }, query: { runs: gridRuns, firstTask, tasks: 100 } },
        }),
      ),
    placeholderData: keepPreviousData,
  });
