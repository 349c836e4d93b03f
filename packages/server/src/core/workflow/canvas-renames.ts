import type { WorkflowCanvas } from "@millrace/contract/canvas.ts";
import type { FormerNames } from "../task/former-tasks.ts";
import { nodeId } from "./canvas.ts";

/**
 * Which tasks were renamed on a canvas. A node keeps its id while it is renamed, and the id of a node that was read follows from its
 * name then. Clients may have ids of their own, though, or ids of an earlier read, so an id is believed only where the names agree:
 * the present name is new or its former bearer was renamed, too, and so was, or is gone, no matter who had the former name.
 */
export function formerNamesOn({ nodes }: WorkflowCanvas): FormerNames {
  return (stored) => {
    const before = new Map(stored.map((name) => [nodeId(name), name]));
    const ids = new Set((nodes ?? []).map(({ id }) => id));
    const names = new Set((nodes ?? []).map(({ data }) => data.name));
    const former = new Map<string, string>();
    for (const { id, data } of nodes ?? []) {
      const name = before.get(id);
      if (name !== undefined && name !== data.name) former.set(data.name, name);
    }
    const known = new Set(stored);
    const later = new Map([...former].map(([now, then]) => [then, now]));
    const isBelievable = (now: string, then: string) => (!known.has(now) || ids.has(nodeId(now))) && (!names.has(then) || former.has(then));
    for (const [now, then] of [...former]) {
      // Who is not believed takes down who was to follow him in his name, and so on.
      if (!isBelievable(now, then)) for (let one: string | undefined = now; one !== undefined; one = later.get(one)) former.delete(one);
    }
    return former;
  };
}
