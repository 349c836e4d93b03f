import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type RunComment = components["schemas"]["RunComment"];

/** The maximum number of comments on a run. */
const mostComments = 200;

/** The comments on a run, oldest first. */
export const runCommentsQuery = (team: string, runId: string) =>
  queryOptions({
    queryKey: ["run", team, runId, "comments"],
    queryFn: async () => {
      const params = { path: { team, runId }, query: { limit: mostComments, page: 0 } };
      return (await call(api.GET("/api/v2/team/{team}/workflowrun/{runId}/comment", { params }))).content;
    },
  });

export const addComment = (team: string, runId: string, text: string) =>
  call(api.POST("/api/v2/team/{team}/workflowrun/{runId}/comment", { params: { path: { team, runId } }, body: { text } }));

export const deleteComment = (team: string, runId: string, commentId: string) =>
  call(api.DELETE("/api/v2/team/{team}/workflowrun/{runId}/comment/{commentId}", { params: { path: { team, runId, commentId } } }));

/** Records that the caller is looking into the failure of a run, or no longer is. */
export const acknowledge = (team: string, runId: string, isMine: boolean) => {
  const params = { path: { team, runId } };
  const at = "/api/v2/team/{team}/workflowrun/{runId}/acknowledgement" as const;
  return isMine ? call(api.PUT(at, { params, body: {} })) : call(api.DELETE(at, { params }));
};
