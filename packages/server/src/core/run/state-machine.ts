import type { Phase, Status } from "@millrace/contract/status.ts";

/**
 * A state machine as a complete table: what each event does in each state. A state is a legal pair of status and phase. Code that changes a
 * status names the event and gets the new pair from here, so nothing can happen that the table does not show.
 */
export interface Pair {
  readonly status: Status;
  readonly phase: Phase;
}

export type StateName = `${Status}/${Phase}`;

export type StateTable<State extends StateName, Event extends string> = Readonly<Record<State, Readonly<Record<Event, State | "refused">>>>;

export type NextPair<Event extends string> = (from: Pair, event: Event) => Pair;

/**
 * Returns a function that looks up the next state in a table. It is called several times in each step of a run, so the pairs are created
 * once, and a lookup does not build names.
 *
 * The returned function @throws if the table refuses the event or does not know the pair: that is a bug, and nothing is written.
 */
export function followTable<State extends StateName, Event extends string>(what: string, table: StateTable<State, Event>): NextPair<Event> {
  const pairs = new Map(namesOf(table).map((name) => [name, pairOf(name)]));
  const rows: { [status in Status]?: { [phase in Phase]?: { [event in Event]?: Pair } } } = {};
  for (const [name, { status, phase }] of pairs) {
    const row: { [event in Event]?: Pair } = {};
    for (const [event, next] of Object.entries(table[name]) as [Event, State | "refused"][]) {
      if (next !== "refused") row[event] = pairs.get(next) as Pair;
    }
    rows[status] = { ...rows[status], [phase]: row };
  }
  return ({ status, phase }, event) => {
    const next = rows[status]?.[phase]?.[event];
    if (next === undefined)
      throw new Error(`${what} that is ${status}/${phase} does not take the event "${event}" (docs/state-machines.md)`);
    return next;
  };
}

function namesOf<State extends StateName>(table: Readonly<Record<State, unknown>>): State[] {
  return Object.keys(table) as State[];
}

export function pairOf(name: StateName): Pair {
  const [status, phase] = name.split("/") as [Status, Phase];
  return { status, phase };
}
