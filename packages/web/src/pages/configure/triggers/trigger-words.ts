import type { TriggerKind } from "../../../components/trigger-look.ts";
import { codehostEvents } from "../trials/codehost-sample.ts";

/** How a run can end. */
export const runEnds = ["succeeded", "failed", "invalid", "cancelled", "timedout"] as const;

interface TriggerAbout {
  about: string;
  /** What the conditions look into; undefined: it has none. */
  looksInto?: string;
  /** Words that may stand in place of a JSONPath. */
  fields: readonly string[];
  /** Texts that a field may have, to choose from. */
  values?: Readonly<Record<string, readonly string[]>>;
  /** What its filters may look at; undefined: it has none. */
  attributes?: readonly string[];
}

/** What each kind of trigger is, in words. */
export const triggerAbouts: Readonly<Record<TriggerKind, TriggerAbout>> = {
  manual: { about: "People start it here, from the command line or through the API.", fields: [] },
  schedule: {
    about: "Runs on its schedules. Turning this off pauses all of them.",
    fields: [],
  },
  webhook: {
    about: "Starts a run when a JSON payload is posted to its URL. The payload is available as the parameter data.",
    looksInto: "the JSON payload",
    fields: [],
  },
  event: {
    about:
      "Starts a run for a CloudEvent that names this workflow or matches the conditions. The event is available as the parameters event and data.",
    looksInto: "the whole CloudEvent",
    fields: ["$.type", "$.source", "$.subject"],
    attributes: ["type", "source", "subject", "id", "time", "datacontenttype"],
  },
  codehost: {
    about: "Starts a run for an event in a repository of the linked code host (see Integrations): a push, a pull request, a release.",
    looksInto: "the event of the code host",
    fields: ["events", "actions", "repositories", "branches", "tags"],
    values: { events: Object.keys(codehostEvents), actions: [...new Set(Object.values(codehostEvents).flatMap(({ actions }) => actions))] },
    attributes: ["type", "action", "repository", "subject", "sender", "source"],
  },
  workflow: {
    about: "Starts a run when a run of another workflow in this team ends. A workflow never starts itself this way.",
    looksInto: "the finished run",
    fields: ["workflows", "statuses", "$.labels.stage"],
    values: { statuses: runEnds },
    attributes: ["type", "subject", "team", "workflow", "initiatorcontext"],
  },
};
