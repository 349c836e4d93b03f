import type { TriggerKind } from "../../components/trigger-look.ts";
import { codehostEvents } from "./codehost-sample.ts";

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
  manual: { about: "People start it here, with the command, or through the API.", fields: [] },
  schedule: {
    about: "The clock starts it, by its schedules. Turned off, they all stop; turned on again, they go on.",
    fields: [],
  },
  webhook: {
    about: "Another system sends any JSON object to its address. The run gets it as the parameter data.",
    looksInto: "the object that is sent",
    fields: [],
  },
  event: {
    about: "A CloudEvent arrives that names this workflow, or fits the conditions. The run gets it as event and data.",
    looksInto: "the whole CloudEvent",
    fields: ["$.type", "$.source", "$.subject"],
    attributes: ["type", "source", "subject", "id", "time", "datacontenttype"],
  },
  codehost: {
    about:
      "Something happens in a repository of the codehost that the team is linked to (Integrations): a push, a pull request, a release.",
    looksInto: "the event of the codehost",
    fields: ["events", "actions", "repositories", "branches", "tags"],
    values: { events: Object.keys(codehostEvents), actions: [...new Set(Object.values(codehostEvents).flatMap(({ actions }) => actions))] },
    attributes: ["type", "action", "repository", "subject", "sender", "source"],
  },
  workflow: {
    about: "A run of another workflow of this team has ended. It is never started by its own runs.",
    looksInto: "the run that has ended",
    fields: ["workflows", "statuses", "$.labels.stage"],
    values: { statuses: runEnds },
    attributes: ["type", "subject", "team", "workflow", "initiatorcontext"],
  },
};
