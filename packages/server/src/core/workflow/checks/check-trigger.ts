import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import type { Trigger } from "@millrace/contract/inbound/trigger.ts";
import type { TriggerCheck } from "@millrace/contract/inbound/trigger-test.ts";
import { eventFits } from "../../event-filters/event-fits.ts";
import { conditionHolds, conditionWork, type InboundEvent, textsAt } from "../../inbound/trigger-conditions.ts";

/** How many texts of a field are shown, and how much of each. */
const maxFound = 20;
const maxFoundLength = 200;

/**
 * Checks each condition and filter of a trigger, also nested ones, by the same rules that start runs. It yields one result at a time: a
 * path through a large payload takes milliseconds, and there may be a hundred of them.
 */
export function* checkTrigger({ conditions = [], filters = [] }: Partial<Trigger>, arrived: InboundEvent): Generator<TriggerCheck> {
  const found = (field: string) =>
    textsAt(field, arrived)
      .slice(0, maxFound)
      .map((text) => text.slice(0, maxFoundLength));
  // One budget for all of them, as for a real event.
  const work = conditionWork();
  for (const [index, condition] of conditions.entries()) {
    yield { path: `/conditions/${index}`, holds: conditionHolds(condition, arrived, work), found: found(condition.field) };
  }
  for (const [index, filter] of filters.entries()) yield* checkFilter(filter, `/filters/${index}`, arrived.attributes ?? {});
}

function checkFilter(filter: EventFilter, path: string, attributes: NonNullable<InboundEvent["attributes"]>): TriggerCheck[] {
  const { all, any, not } = filter;
  const inner = (filters: readonly EventFilter[], place: string) =>
    filters.flatMap((one, index) => checkFilter(one, `${path}/${place}/${index}`, attributes));
  return [
    { path, holds: eventFits([filter], attributes) },
    ...inner(all ?? [], "all"),
    ...inner(any ?? [], "any"),
    ...(not ? checkFilter(not, `${path}/not`, attributes) : []),
  ];
}
