import type { Endpoint } from "../../../src/api/endpoint.ts";
import type { TestAnswer } from "../app.ts";

/**
 * What one user of the stateful fuzz knows: the things named in the responses that the user got, by the word before them in a path. This
 * way the paths of later requests refer to things that really exist.
 */
export interface Player {
  userId: string;
  token: string;
  /** ID of the player's team. */
  teamId: string;
  /** Contained in each text that the player writes, and in nothing that others may read. */
  marker: string;
  /** Value of each secret that the player writes: nobody may read it, not even the player. */
  secret: string;
  known: Map<string, Set<string>>;
}

export function newPlayer({ id, token }: { id: string; token: string }, teamId: string, name: string): Player {
  const salt = Math.random().toString(36).slice(2, 10);
  return { userId: id, token, teamId, marker: `MARK-${name}-${salt}`, secret: `SECRET-${name}-${salt}`, known: new Map() };
}

/** `workflow` for `/team/:team/workflow/:workflow/submit`: the word before the last parameter, or the last word that is not a verb. */
function kindOf(path: string): string {
  const segments = path.replace("/api/v2/", "").split("/");
  const last = segments.findLastIndex((segment) => segment.startsWith(":") && segment !== ":team");
  if (last > 0) return segments[last - 1]!;
  return segments.filter((segment) => !segment.startsWith(":") && segment !== "query").at(-1)!;
}

/** Members that name things of another kind than the response itself. */
const references: Record<string, string> = {
  workflowRef: "workflow",
  workflowName: "workflow",
  workflowRunRef: "workflowrun",
  taskRunRef: "taskrun",
};
/** Members that contain things of another kind. */
const nested: Record<string, string> = { tasks: "taskrun", approverGroups: "approvergroup", members: "user", parameters: "parameters" };
/** The kind of thing that an endpoint returns, if its path suggests another. */
const answerKinds: Record<string, string> = { submit: "workflowrun", try: "workflowrun", duplicate: "workflow" };

/** Remembers the things that a response names. */
export function learn(player: Player, endpoint: Endpoint, { status, body }: TestAnswer): void {
  if (status !== 200 || typeof body !== "object" || body === null) return;
  const kind = answerKinds[endpoint.path.split("/").at(-1)!] ?? kindOf(endpoint.path);
  for (const item of Array.isArray(body) ? body : (body.content ?? [body])) remember(player, kind, item);
}

function remember(player: Player, kind: string, item: unknown): void {
  if (typeof item !== "object" || item === null) return;
  for (const [member, value] of Object.entries(item)) {
    if ((member === "id" || member === "name") && typeof value === "string") add(player, kind, value);
    if (references[member] !== undefined && typeof value === "string") add(player, references[member], value);
    if (nested[member] !== undefined && Array.isArray(value)) for (const inner of value) remember(player, nested[member], inner);
  }
}

function add({ known }: Player, kind: string, value: string): void {
  const names = known.get(kind) ?? new Set();
  known.set(kind, names);
  if (value !== "" && names.size < 200) names.add(value);
}

/** The path with things that the player knows, chosen at random; with something that does not exist if the player knows none. */
export function pathFor(endpoint: Endpoint, player: Player, teamId: string, dice: readonly number[]): string {
  let index = 0;
  return endpoint.path
    .split("/")
    .map((segment, at, segments) => {
      if (!segment.startsWith(":")) return segment;
      const isWhole = endpoint.path.endsWith("/team/:team") && endpoint.method === "DELETE";
      if (segment === ":team" && !isWhole) return teamId;
      const names = [...(player.known.get(segments[at - 1]!) ?? [])].filter((name) => name !== player.teamId);
      const chosen = names[dice[index++ % dice.length]! % Math.max(1, names.length)] ?? "nothing-of-that-name";
      return encodeURIComponent(chosen).slice(0, 900);
    })
    .join("/");
}

/** Members whose text others must not see. */
const written = /^(?:displayName|description|markdown|comments|instructions|reason|helpertext|label|placeholder)$/;
const names = ["alpha", "beta", "gamma", "delta"];

/** The body with the player's marks: only a few names, so that things collide; the marker in each text, the secret in each password. */
export function mark(body: unknown, endpoint: Endpoint, player: Player, dice: number): unknown {
  const ids = [...(player.known.get(kindOf(endpoint.path)) ?? [])];
  return walk(body, dice);

  function walk(value: unknown, die: number): unknown {
    if (Array.isArray(value)) return value.map((inner, index) => walk(inner, die + index));
    if (typeof value !== "object" || value === null) return value;
    const isSecret = (value as { type?: unknown }).type === "password";
    return Object.fromEntries(
      Object.entries(value).map(([member, inner], index) => [member, markMember(member, inner, isSecret, die + index)]),
    );
  }

  function markMember(member: string, inner: unknown, isSecret: boolean, die: number): unknown {
    if (isSecret && (member === "value" || member === "default") && inner !== undefined) return player.secret;
    if (typeof inner !== "string") return walk(inner, die);
    if (written.test(member)) return `${player.marker} ${inner}`.slice(0, 200);
    if (member === "name" && dice % 3 > 0 && die === dice) return names[die % names.length];
    return member === "id" && ids.length > 0 ? ids[die % ids.length] : inner;
  }
}
