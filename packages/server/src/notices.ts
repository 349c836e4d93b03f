import type { Notice } from "./api/endpoint.ts";
import type { OpenExecutor } from "./executors/open-executor.ts";
import type { OutageState } from "./store/database/database-outage.ts";

/** What the operator and all users of the instance should know: printed before the ready line, and shown as the banner of every page. */

/** Undefined while a task that needs an executor can run here, and for a process that runs no tasks. */
export function whyDegraded(executors: readonly Pick<OpenExecutor, "kind" | "describe">[] | undefined): string | undefined {
  if (executors === undefined || executors.some((executor) => executor.describe().available)) return undefined;
  const kinds = executors.map((executor) => [executor.kind, executor.describe().fault].filter(Boolean).join(": ")).join(", ");
  return executors.length === 0 ? "no executor is configured" : `no executor works (${kinds})`;
}

/** Without the reasons: they contain names of files and addresses of the machine, and everyone reads this. */
export function noticesOf(executors: readonly OpenExecutor[] | undefined, outage?: OutageState): Notice[] {
  const why = whyDegraded(executors);
  const degraded =
    why === undefined ? [] : [{ title: "No tasks can run", text: `${why}, so scripts and images wait. ${remedyFor(executors)}` }];
  const onePerson = (executors ?? []).flatMap((executor) => executor.onePersonNotice?.() ?? []);
  const full =
    outage?.kind === "full"
      ? [{ title: "Changes are not possible", text: `${outage.text}: an administrator has to free space on it` }]
      : [];
  return [...full, ...degraded, ...onePerson.map((text) => ({ title: "Scripts are not isolated", text }))];
}

/** A level that is impossible inside a container is the usual reason if steps run as processes. */
function remedyFor(executors: readonly OpenExecutor[] | undefined): string {
  const where = "The page Workers and GET /health show administrators the reason and the fix";
  if (!executors?.some(({ kind }) => kind === "process")) return where;
  return (
    `${where}. If this is a container without extra privileges, set MILLRACE_EXECUTORS to container or kubernetes, ` +
    "or start it with a security profile that allows user namespaces (docs/sandbox.md)"
  );
}
