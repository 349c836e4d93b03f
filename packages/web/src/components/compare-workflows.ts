import type { components } from "@millrace/client/schema.generated.ts";
import {
  type Change,
  conditionOf,
  nodeOf,
  type PictureEdge,
  type PictureGraph,
  type PictureNode,
} from "./graph-picture/picture-of-graph.ts";

type Workflow = components["schemas"]["Workflow"];
type Task = components["schemas"]["WorkflowTask"];

/** One difference, as a line of text. */
export interface Difference {
  change: Exclude<Change, "same">;
  what: "task" | "edge" | "parameter" | "workspace" | "member";
  name: string;
  /** The names of the changed members. */
  members: string[];
}

export interface Comparison {
  differences: Difference[];
  graph: PictureGraph;
}

/** Members that the service sets, or that only concern positions on the canvas. */
const unseen = new Set(["upgradesAvailable", "dependencies", "annotations", "id", "version", "creationDate", "changelog", "name"]);
const lists = new Set(["tasks", "params", "workspaces"]);

/** The differences between two versions: their tasks and edges, parameters, storage, and all other members by name. */
export function compareWorkflows(before: Workflow, after: Workflow): Comparison {
  const nodes = compareTasks(before.tasks ?? [], after.tasks ?? []);
  const edges = compareEdges(before.tasks ?? [], after.tasks ?? []);
  const members = changedMembers(before, after, (key) => lists.has(key) || unseen.has(key));
  return {
    differences: [
      ...nodes.flatMap(({ node, members: names }) => difference(node.change, "task", node.id, names)),
      ...edges.flatMap(({ from, to, condition, change }) =>
        difference(change, "edge", `${from} → ${to}`, change === "changed" ? [condition || "always"] : []),
      ),
      ...compareNamed("parameter", before.params ?? [], after.params ?? []),
      ...compareNamed("workspace", before.workspaces ?? [], after.workspaces ?? []),
      ...members.map((name) => ({ change: "changed" as const, what: "member" as const, name, members: [] })),
    ],
    graph: { nodes: nodes.map(({ node }) => node), edges },
  };
}

function difference(change: Change, what: Difference["what"], name: string, members: string[]): Difference[] {
  return change === "same" ? [] : [{ change, what, name, members }];
}

function compareTasks(before: readonly Task[], after: readonly Task[]): { node: PictureNode; members: string[] }[] {
  const old = new Map(before.map((task) => [task.name, task]));
  const kept = new Set(after.map(({ name }) => name));
  const present = after.map((task) => {
    const was = old.get(task.name);
    const members = was === undefined ? [] : taskMembers(was, task);
    const change: Change = was === undefined ? "added" : members.length > 0 ? "changed" : "same";
    return { node: nodeOf(task, change), members };
  });
  const gone = before.filter(({ name }) => !kept.has(name)).map((task) => ({ node: nodeOf(task, "removed"), members: [] }));
  return [...present, ...gone];
}

/** Changed parameter values by the names of the parameters: `params` alone would be too vague. */
function taskMembers(before: Task, after: Task): string[] {
  const members = changedMembers(before, after, (key) => unseen.has(key));
  return members.flatMap((member) => {
    if (member !== "params") return [member];
    return compareNamed("parameter", before.params ?? [], after.params ?? []).map(({ name }) => name);
  });
}

function compareEdges(before: readonly Task[], after: readonly Task[]): PictureEdge[] {
  const [old, now] = [edgesOf(before), edgesOf(after)];
  const edge = (key: string, condition: string, change: Change): PictureEdge => {
    const [from = "", to = ""] = key.split("\n");
    return { from, to, condition, change };
  };
  const present = [...now].map(([key, condition]) => {
    const was = old.get(key);
    return edge(key, condition, was === undefined ? "added" : was === condition ? "same" : "changed");
  });
  const gone = [...old].filter(([key]) => !now.has(key)).map(([key, condition]) => edge(key, condition, "removed"));
  return [...present, ...gone];
}

function edgesOf(tasks: readonly Task[]): Map<string, string> {
  return new Map(
    tasks.flatMap(({ name, dependencies }) =>
      (dependencies ?? []).map((dependency) => [`${dependency.taskRef}\n${name}`, conditionOf(dependency)] as const),
    ),
  );
}

function compareNamed(what: Difference["what"], before: readonly { name: string }[], after: readonly { name: string }[]): Difference[] {
  const old = new Map(before.map((one) => [one.name, one]));
  const kept = new Set(after.map(({ name }) => name));
  const present = after.flatMap((one) => {
    const was = old.get(one.name);
    if (was === undefined) return difference("added", what, one.name, []);
    const members = changedMembers(was, one, () => false);
    return members.length > 0 ? difference("changed", what, one.name, members) : [];
  });
  const gone = before.filter(({ name }) => !kept.has(name)).flatMap(({ name }) => difference("removed", what, name, []));
  return [...present, ...gone];
}

function changedMembers(before: object, after: object, isLeftOut: (key: string) => boolean): string[] {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].filter((key) => !isLeftOut(key) && JSON.stringify(old[key] ?? null) !== JSON.stringify(now[key] ?? null));
}
