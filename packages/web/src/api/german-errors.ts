import { ApiError } from "@millrace/client/api-error.ts";
import { errors, type Reason } from "@millrace/contract/errors.ts";
import { causeInGerman } from "./german-causes.ts";
import { detailInGerman } from "./german-details.ts";

/**
 * The service writes its messages in English. Those that users of the interface meet most are said in German; what stands in the places of
 * a message (`{0}`: a name) stays as it is; causes (`{0!}`) are translated by german-causes.ts. Loaded with the first error, and only in
 * German.
 */
const german: Partial<Record<Reason, string>> = {
  BAD_REQUEST: "Die Anfrage ist fehlerhaft: {0}",
  VALIDATION_FAILED: "Die Anfrage ist ungültig: {0}",
  UNAUTHENTICATED: "Nicht angemeldet: {0!}",
  PERMISSION_DENIED: "Nicht erlaubt: {0!}",
  NOT_FOUND: "Nicht gefunden: {0}",
  CONFLICT: "{0!}",
  BODY_TOO_LARGE: "Die Anfrage ist größer als {0} Bytes",
  REQUEST_TIMEOUT: "Die Anfrage kam nicht innerhalb von 60 s vollständig an",
  WORKFLOW_TEAM_INACTIVE: "Das Team {0} ist nicht aktiv",
  TOO_MANY_REQUESTS: "Zu viele Anfragen; in {0} s noch einmal versuchen",
  INTERNAL: "Interner Fehler; Einzelheiten stehen unter dieser Anfrage-ID im Log des Dienstes",
  NOT_READY: "Der Dienst ist nicht bereit: {0!}",
  DATABASE_FULL: "Die Festplatte der Datenbank ist voll: Änderungen werden abgelehnt, bis der Betreiber Platz schafft",
  LOG_STORE_UNAVAILABLE: "Das Log ist im Log-Speicher, der gerade nicht gelesen werden kann: {0}",
  USER_NOT_FOUND: "Es gibt keinen Benutzer {0}",
  QUERY_INVALID_FILTERS: "Der Filter {0} ist ungültig: {1!}",
  QUOTA_EXCEEDED: "Kontingent {0} des Teams {1} überschritten: {2} von {3}",
  TEAM_INVALID_REF: "Es gibt kein Team {0}",
  WORKFLOW_INVALID_REFERENCE: "Es gibt keinen Workflow {0}",
  WORKFLOW_NOT_ACTIVE: "Der Workflow {0} ist nicht aktiv",
  WORKFLOW_ARCHIVED: "Der Workflow {0} ist archiviert; zuerst wiederherstellen",
  WORKFLOW_REVISION_NOT_FOUND: "Der Workflow {0} hat keine Version {1}",
  WORKFLOW_NON_UNIQUE_TASK_NAME: "Zwei Tasks heißen {0}",
  WORKFLOW_INVALID_GRAPH: "Der Graph des Workflows ist ungültig: {0}",
  WORKFLOW_UNRESOLVED_REFERENCE: "Der Workflow kann nicht ausgeführt werden: {0}",
  WORKFLOWRUN_INVALID_REFERENCE: "Es gibt keinen Lauf {0}{1}",
  WORKFLOWRUN_NOTHING_TO_RERUN:
    "Eine Wiederholung des Laufs {0} würde nichts ausführen: jeder Task war erfolgreich oder wurde durch eine Bedingung übersprungen. Mit retry läuft er von vorn",
  WORKFLOWRUN_LIMIT_REACHED: "Der Lauf kann jetzt nicht beginnen: {0!}",
  TASK_INVALID_REFERENCE: "Es gibt keinen Task und keine Vorlage {0}",
  TASK_INACTIVE_STATUS: "Der Task {0} ist nicht aktiv",
  TASK_IN_USE: "Der Task {0} wird von Workflows verwendet: {1}",
  TASKRUN_LOG_REMOVED: "Das Log des Tasks {0} wurde entfernt: Logs werden nach dem Ende ihres Laufs {1} Tage aufbewahrt",
  ACTION_UNABLE_TO_ACTION: "Über die Aufgabe {0} kann nicht entschieden werden: {1!}",
  ACTION_INVALID_VALUES: "Mit diesen Werten kann über die Aufgabe {0} nicht entschieden werden: {1}",
  ACTION_INVALID_DELEGATE: "Die Aufgabe {0} kann nicht an {1} delegiert werden: {2!}",
  SCHEDULE_INVALID_REF: "Es gibt keinen Zeitplan {0}",
  SCHEDULE_INVALID_REQ: "Der Zeitplan ist ungültig: {0}",
  SCHEDULE_INVALID_RUNONCE: "Der Zeitpunkt {0} des einmaligen Zeitplans ist vergangen",
  SCHEDULE_INVALID_CRON: "Der Cron-Ausdruck {0} ist ungültig: {1}",
  PARAMS_NON_UNIQUE_REFERENCE: "Der Name {0} ist schon vergeben",
};

const place = /\{(\d)(!?)\}/g;

/** The same error with its message, and those about single fields, in German as far as they are known here. */
export function errorInGerman({ status, reason, message, requestId, errors: details, code, cause }: ApiError): ApiError {
  let whole = inGerman(reason, message);
  const translated = details.map((detail) => ({ ...detail, message: detailInGerman(detail.message) }));
  // The message of a whole request often repeats the first detail.
  for (const [index, detail] of details.entries()) whole = whole.replace(detail.message, () => translated[index]?.message ?? "");
  return new ApiError(status, reason, whole, requestId, translated, { code, cause });
}

/** @returns the message as it is if it isn't one that the service writes for this reason */
export function inGerman(reason: string, message: string): string {
  const translated = Object.hasOwn(german, reason) ? german[reason as Reason] : undefined;
  if (translated === undefined) return message;
  const english = errors[reason as Reason].text;
  const fixed = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(`^${fixed.join("([^]*?)")}$`).exec(message);
  if (found === null) return message;
  const order = [...english.matchAll(place)].map(([, number]) => number);
  return translated.replace(place, (_, number: string, isCause: string) => {
    const value = found[order.indexOf(number) + 1] ?? "";
    return isCause ? causeInGerman(value) : value;
  });
}
