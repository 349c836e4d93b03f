import { refuseForeign } from "../core/workflow/foreign-documents.ts";

/**
 * Converts bodies of older clients, and of clients that write null for absent members, to the present form before they are validated.
 * Values that can't be read stay unchanged, so that validation can name them.
 */

type Members = Readonly<Record<string, unknown>>;
type Change = (value: Members) => Members;

/** A workflow or a template. */
export function presentWorkflow(body: unknown): unknown {
  refuseForeign(body, "docs/workflows.md");
  const dependency = change({ executionCondition: word });
  const task = change({ ...taskMembers, type: word, dependencies: each(dependency) });
  return whole(change({ ...workflowMembers, params: each(presentParameter), tasks: each(task) }), body);
}

/** The canvas of a workflow. */
export function presentCanvas(body: unknown): unknown {
  refuseForeign(body, "docs/workflows.md");
  const node = change({ type: word, data: one(change(taskMembers)) });
  const edge = change({ data: one(change({ executionCondition: word })) });
  return whole(change({ ...workflowMembers, config: each(presentParameter), nodes: each(node), edges: each(edge) }), body);
}

export function presentTask(body: unknown): unknown {
  refuseForeign(body, "docs/tasks-yaml.md");
  const spec = change({ params: each(presentParameter), results: each(withoutNulls) });
  return whole(change({ spec: one(spec), changelog: one(withoutNulls) }), body);
}

/** A request to try a task. */
export function presentTry(body: unknown): unknown {
  return whole((value) => change({ draft: presentTask })(without("draft")(value)), body);
}

/** A request to try a workflow, or to preview its expressions. */
export function presentDraftRequest(body: unknown): unknown {
  return whole((value) => change({ draft: presentDraft })(without("draft")(value)), body);
}

/** A workflow whose name is in the path. */
export function presentDraft(body: unknown): unknown {
  return presentWorkflow(whole((value) => ({ name: "draft", ...value }), body));
}

export function presentTeam(body: unknown): unknown {
  return whole(change({ parameters: each(presentParameter) }), body);
}

const taskMembers = {
  params: each(without("hiddenValue")),
  results: each(withoutNulls),
  workspaces: each(withoutNulls),
  onLost: word,
  retry: one(change({ on: (words) => (Array.isArray(words) ? words.map(word) : words) })),
};

const workflowMembers = {
  workspaces: each(presentWorkspace),
  creationDate: isoDate,
  changelog: one((entry) => change({ date: isoDate })(withoutNulls(entry))),
  triggers: one((triggers) => Object.fromEntries(Object.entries(triggers).map(([kind, value]) => [kind, whole(presentTrigger, value)]))),
};

/** Older names of members of a parameter, each with its present one. */
const olderNames = { key: "name", defaultValue: "default", values: "value", helperText: "helpertext" } as const;

/** Null as `value` or `default` is a value, and stays. */
function presentParameter(parameter: Members): Members {
  const given = Object.entries(parameter).filter(([member, value]) => value !== null || member === "value" || member === "default");
  const present: Record<string, unknown> = {};
  for (const [member, value] of given) {
    const name = Object.hasOwn(olderNames, member) ? olderNames[member as keyof typeof olderNames] : member;
    if (value !== null && (name === member || (parameter[name] ?? null) === null)) present[name] = value;
    else if (name === member) present[name] ??= value;
  }
  return present;
}

function presentTrigger(trigger: Members): Members {
  return change({ conditions: each(change({ operation: word })) })(trigger);
}

/** A workspace of an unknown type keeps that type unchanged. */
function presentWorkspace(workspace: Members): Members {
  const type = (value: unknown) => (["workflow", "workflowrun"].includes(String(word(value))) ? word(value) : value);
  return withoutNulls(change({ spec: one(withoutNulls), type })(workspace));
}

/** Exports of older services have milliseconds since the epoch. */
function isoDate(value: unknown): unknown {
  const isTime = typeof value === "number" && !Number.isNaN(new Date(value).getTime());
  return isTime ? new Date(value).toISOString() : value;
}

/** Words are matched ignoring case. */
function word(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

function withoutNulls(value: Members): Members {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Without that member, if it is null. */
function without(name: string): Change {
  return (value) => (value[name] === null ? Object.fromEntries(Object.entries(value).filter(([member]) => member !== name)) : value);
}

function change(changes: Readonly<Record<string, (value: unknown) => unknown>>): Change {
  return (value) => {
    const changed: Record<string, unknown> = { ...value };
    for (const [member, to] of Object.entries(changes)) if (Object.hasOwn(value, member)) changed[member] = to(value[member]);
    return changed;
  };
}

function each(to: Change): (value: unknown) => unknown {
  return (value) => (Array.isArray(value) ? value.map((item) => whole(to, item)) : value);
}

function one(to: Change): (value: unknown) => unknown {
  return (value) => whole(to, value);
}

function whole(to: Change, value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? to(value as Members) : value;
}
