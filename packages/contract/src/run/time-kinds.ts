/** What a task does with its time; docs/insights.md defines each. The browser reads it, too, so it brings no schemas. */
export const timeKinds = ["worker", "queue", "quota", "start", "retry", "lock", "person", "event", "sleep", "run"] as const;
export type TimeKind = (typeof timeKinds)[number];
