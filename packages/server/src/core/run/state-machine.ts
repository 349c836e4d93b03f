import type { Phase, Status } from "@millrace/contract/status.ts";

/**
 * A state machine as a total table: what each event does in each state. A state is a pair of status and phase that may exist.
 * Anyone who changes a status names the event and gets the pair from here, so that nothing can happen which the table does not show.
 */
export interface Pair {
  readonly status: Status;
  readonly phase: Phase;
}

export type StateName = `${Status}/${Phase}`;

export type StateTable<State extends StateName, Event extends string> = Readonly<Record<State, Readonly<Record<Event, State | "refused">>>>;

export type NextPair<Event extends string> = (from: Pair, event: Event) => Pair;

/**
 * The question "where does this event lead?" for a table. It is asked several times in each step of a run: the pairs are made once,
 * and looked up without putting a name together.
 *
 * The function @throws when the table refuses the event, or does not know the pair: that is an error in the code, and nothing is written.
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
