/** Names of the parameters that every run and task run has of itself (layer `context`). */
export const contextParameters = [
  "workflowrun-trigger",
  "workflowrun-initiator",
  "workflowrun-ref",
  "workflowrun-id",
  "workflow-ref",
  "workflow-id",
  "workflow-name",
  "workflow-displayname",
  "workflow-version",
  "team-name",
  "taskrun-ref",
  "taskrun-name",
  "taskrun-type",
  "webhook-url",
  "event-url",
  "wfe-url",
] as const;
