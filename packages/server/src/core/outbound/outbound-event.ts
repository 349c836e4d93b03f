import { lineageAttribute, writeLineage } from "../run/lineage.ts";
import type { ChangeEvent } from "./change-event.ts";

/** A CloudEvent 1.0 as it is sent: attributes and `data`, in its JSON format. */
export interface OutboundEvent {
  specversion: "1.0";
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  datacontenttype: "application/json";
  /** Name of the team. */
  team?: string;
  /** Name of the workflow. */
  workflow?: string;
  initiatorcontext?: string;
  /** Ids of the workflows that led to it, with its own at the end. */
  millracelineage?: string;
  data: Record<string, unknown>;
  [attribute: string]: unknown;
}

/** The type of a change: `dev.millrace.workflowrun.failed`. */
export function eventType(kind: string, status: string): string {
  return `dev.millrace.${kind}.${status}`;
}

/** @param publicUrl address of this instance, without a slash at the end: the beginning of `link` */
export function outboundEvent(event: ChangeEvent, publicUrl: string): OutboundEvent {
  const { link } = event.data;
  return {
    specversion: "1.0",
    id: event.id,
    source: event.teamId === null ? "/api/v2" : `/api/v2/team/${event.teamId}`,
    type: eventType(event.kind, event.status),
    subject: `/${event.kind}/${event.objectId}/status/${event.status}`,
    time: event.at.toISOString(),
    datacontenttype: "application/json",
    ...(event.teamName !== null && { team: event.teamName }),
    ...(event.workflowName !== null && { workflow: event.workflowName }),
    ...(event.initiatorContext !== null && { initiatorcontext: event.initiatorContext }),
    ...(event.lineage.length > 0 && { [lineageAttribute]: writeLineage(event.lineage) }),
    data: typeof link === "string" ? { ...event.data, link: `${publicUrl}${link}` } : event.data,
  };
}
