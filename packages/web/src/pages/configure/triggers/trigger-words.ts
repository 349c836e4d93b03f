import type { TriggerKind } from "../../../components/workflow-icon.tsx";
import { t } from "../../../texts/workflow/triggers.ts";
import { codehostEvents } from "../trials/codehost-sample.ts";

/** How a run can finish. */
export const runEnds = ["succeeded", "failed", "invalid", "cancelled", "timedout"] as const;

interface TriggerAbout {
  about: string;
  /** The data the conditions inspect; undefined when the kind has no conditions. */
  looksInto?: string;
  /** Names that can be used instead of a JSONPath. */
  fields: readonly string[];
  /** Known values of each field, as suggestions. */
  values?: Readonly<Record<string, readonly string[]>>;
  /** The attributes filters can use; undefined when the kind has no filters. */
  attributes?: readonly string[];
}

/** A description of each kind of trigger. */
export const triggerAbouts: Readonly<Record<TriggerKind, TriggerAbout>> = {
  manual: { about: t("triggerWords.peopleStartHereCommand"), fields: [] },
  schedule: {
    about: t("triggerWords.runsSchedulesTurningOff"),
    fields: [],
  },
  webhook: {
    about: t("triggerWords.startsRunWhenJson"),
    looksInto: t("triggerWords.jsonPayload"),
    fields: [],
  },
  event: {
    about: t("triggerWords.startsRunCloudeventNames"),
    looksInto: t("triggerWords.wholeCloudevent"),
    fields: ["$.type", "$.source", "$.subject"],
    attributes: ["type", "source", "subject", "id", "time", "datacontenttype"],
  },
  codehost: {
    about: t("triggerWords.startsRunEventRepository"),
    looksInto: t("triggerWords.eventCodeHost"),
    fields: ["events", "actions", "repositories", "branches", "tags"],
    values: { events: Object.keys(codehostEvents), actions: [...new Set(Object.values(codehostEvents).flatMap(({ actions }) => actions))] },
    attributes: ["type", "action", "repository", "subject", "sender", "source"],
  },
  workflow: {
    about: t("triggerWords.startsRunWhenRun"),
    looksInto: t("triggerWords.finishedRun"),
    fields: ["workflows", "statuses", "$.labels.stage"],
    values: { statuses: runEnds },
    attributes: ["type", "subject", "team", "workflow", "initiatorcontext"],
  },
};
