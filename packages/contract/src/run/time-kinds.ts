/** How a task spends its time; docs/insights.md defines each kind. The browser imports this file, too, so it must not import schemas. */
export const timeKinds = ["worker", "queue", "quota", "start", "retry", "lock", "person", "event", "sleep", "run"] as const;
export type TimeKind = (typeof timeKinds)[number];
