import { type MessageFamily, translatedBy } from "./german-families.ts";
import { reasonInGerman } from "./german-reasons.ts";

/**
 * What the service says about schedules, subscriptions, and runs that it refused to start, in German; families as in german-reasons.ts.
 * They have a table of their own, because some have so few words that they would fit what programs say about their tasks.
 * `test/reasons.test.ts` asks the service for its sentences.
 */
const families: readonly MessageFamily[] = [
  // Of the times of schedules.
  ["A time passed while the service was down, {0}", "Eine Zeit verstrich, während der Dienst nicht lief; {0!}"],
  [
    "{0} and more times until {1} passed while the service was down, {2}",
    "Mehr als {0} Zeiten bis {1} verstrichen, während der Dienst nicht lief; {2!}",
  ],
  ["{0} times until {1} passed while the service was down, {2}", "{0} Zeiten bis {1} verstrichen, während der Dienst nicht lief; {2!}"],
  ["and one run replaces them", "ein Lauf ersetzt sie"],
  ["and catchUpPolicy is none", "catchUpPolicy ist none"],
  ["they are older than the catch-up limit", "zum Nachholen sind sie zu alt"],
  ["A run of this schedule is still open (overlapPolicy skip)", "Ein Lauf dieses Zeitplans ist noch offen (overlapPolicy skip)"],
  ["{0} runs of this schedule are still open (overlapPolicy skip)", "{0} Läufe dieses Zeitplans sind noch offen (overlapPolicy skip)"],
  ["Backfilled; it had been {0} before", "Nachgeholt; vorher: {0!}"],
  ["Backfilled; it was the first of {0} that were {1}", "Nachgeholt; die erste von {0} Zeiten, vorher: {1!}"],
  ["Backfilled", "Nachgeholt"],
  [
    "The engine failed on this schedule; see the log of the service",
    "Die Engine ist an diesem Zeitplan gescheitert; mehr steht im Log des Dienstes",
  ],
  [
    "The clock of the database went back: it shows {0}, and the time {1} has fired already. No time fires twice, so the schedule continues {2}",
    "Die Uhr der Datenbank wurde zurückgestellt: sie zeigt {0}, und die Zeit {1} ist schon gelaufen. Keine Zeit läuft zweimal, deshalb geht der Zeitplan erst weiter: {2!}",
  ],
  [
    "The clock of the database went back: it shows {0}, and the schedule was created at {1}. No time fires twice, so the schedule continues {2}",
    "Die Uhr der Datenbank wurde zurückgestellt: sie zeigt {0}, und der Zeitplan wurde erstellt: {1}. Keine Zeit läuft zweimal, deshalb geht der Zeitplan erst weiter: {2!}",
  ],
  ["at {0}", "{0}"],
  ["after {0}", "nach {0}"],
  // Why a run of a schedule or of a bulk operation was refused: those of german-errors.ts that can happen there.
  ["Team {0} is not active", "Das Team {0} ist nicht aktiv"],
  ["Quota {0} of team {1} exceeded: {2} of {3}", "Kontingent {0} des Teams {1} überschritten: {2} von {3}"],
  ["There is no workflow {0}", "Es gibt keinen Workflow {0}"],
  ["Workflow {0} is not active", "Der Workflow {0} ist nicht aktiv"],
  ["Workflow {0} is archived; restore it first", "Der Workflow {0} ist archiviert; zuerst wiederherstellen"],
  ["Trigger {0} of workflow {1} is {2}", "Der Auslöser {0} des Workflows {1} ist {2!}"],
  ["The workflow can't run: {0}", "Der Workflow kann nicht ausgeführt werden: {0}"],
  ["The run request is invalid: {0}", "Der Lauf kann so nicht gestartet werden: {0}"],
  ["The run can't start now: {0}", "Der Lauf kann jetzt nicht beginnen: {0!}"],
  ["Run {0} is {1}; it must be {2} for that", "Der Lauf {0} ist {1!}; dafür muss er {2!}"],
  ["finished ({0})", "beendet ({0!})"],
  ["{0} (phase {1})", "{0!} (Phase {1})"],
  ["not enabled", "nicht eingeschaltet"],
  ["queued or running", "in der Warteschlange sein oder laufen"],
  ["finished without success", "ohne Erfolg beendet sein"],
  ["finished, and not finalized yet", "beendet und noch nicht abgeschlossen sein"],
  ["in the queue (phase pending or queued)", "in der Warteschlange sein (Phase pending oder queued)"],
  // Of subscriptions and their deliveries.
  ["Paused: the receiver answered that it is gone (410)", "Pausiert: der Empfänger hat geantwortet, dass es ihn nicht mehr gibt (410)"],
  ["The address of the webhook {0}", "Die Adresse des Webhooks ist unbrauchbar: {0}"],
  ["{0} answered 410 (gone)", "{0} hat mit 410 geantwortet (nicht mehr da)"],
  ["{0} did not start a run: {1}", "{0} hat keinen Lauf gestartet: {1}"],
  ["{0} answered {1} without a valid Location", "{0} hat mit {1} geantwortet, ohne gültige Location"],
  ["{0} redirects more than {1} times", "{0} leitet mehr als {1} Mal um"],
  ["{0} redirects from https to http", "{0} leitet von https auf http um"],
  ["{0} redirects to an address that {1}", "{0} leitet auf eine unbrauchbare Adresse um: {1}"],
  [
    "{0} answered {1}: only 307 and 308 redirects are followed, since others lose the body; use the final URL in the subscription",
    "{0} hat mit {1} geantwortet: nur Weiterleitungen mit 307 und 308 werden befolgt, weil andere den Inhalt verlieren; im Abonnement die endgültige URL angeben",
  ],
  ["{0} answered {1}", "{0} hat mit {1} geantwortet"],
  ["runs in this status are not reported", "Läufe in diesem Status werden nicht gemeldet"],
  // What is wrong with a cron expression.
  ["The schedule is invalid: {0}", "Der Zeitplan ist ungültig: {0!}"],
  ["Cron expression {0} is invalid: {1}", "Der Cron-Ausdruck {0} ist ungültig: {1!}"],
  ["{0} (at character {1})", "{0!} (Zeichen {1})"],
  ["The expression never fires again: all of its times are excluded", "Der Ausdruck trifft nie wieder zu: alle Zeiten sind ausgenommen"],
  ["The expression never fires again: all of its years have passed", "Der Ausdruck trifft nie wieder zu: alle Jahre sind vorbei"],
  [
    "The expression never fires: year {0} has no such day; give other years, or *",
    "Der Ausdruck trifft nie zu: im Jahr {0} gibt es keinen solchen Tag; andere Jahre oder * angeben",
  ],
  [
    "The expression never fires: day of month {0}, month {1} and day of week {2} never occur together; give a day that exists, or L for the last one of a month",
    "Der Ausdruck trifft nie zu: Tag {0}, Monat {1} und Wochentag {2} fallen nie zusammen; einen Tag angeben, den es gibt, oder L für den letzten eines Monats",
  ],
  ["The expression has {0} characters; it can have {1}", "Der Ausdruck hat {0} Zeichen; erlaubt sind {1}"],
  [
    "The expression is empty; it needs 5 {0}",
    "Der Ausdruck ist leer; nötig sind 5 Felder (Minute, Stunde, Tag, Monat, Wochentag), 6 (davor die Sekunde) oder 7 (danach das Jahr)",
  ],
  [
    "The expression has {0} fields; it needs 5 {1}",
    "Der Ausdruck hat {0} Felder; nötig sind 5 (Minute, Stunde, Tag, Monat, Wochentag), 6 (davor die Sekunde) oder 7 (danach das Jahr)",
  ],
  [
    "The expression has 1 field; it needs 5 {0}",
    "Der Ausdruck hat 1 Feld; nötig sind 5 (Minute, Stunde, Tag, Monat, Wochentag), 6 (davor die Sekunde) oder 7 (danach das Jahr)",
  ],
  [
    "An expression can't contain a time zone; set the time zone of the schedule instead",
    "Ein Ausdruck kann keine Zeitzone enthalten; die Zeitzone des Zeitplans einstellen",
  ],
  [
    "A macro such as {0} must be the whole expression; leave out what follows",
    "Ein Makro wie {0} muss der ganze Ausdruck sein; was folgt, weglassen",
  ],
  [
    "{0} is not supported; a schedule knows times only; submit the workflow when your machine starts",
    "{0} geht hier nicht: ein Zeitplan kennt nur Zeiten; den Workflow beim Start der Maschine ausführen",
  ],
  [
    "{0} is not supported; write the interval as fields, such as */5 * * * * for every five minutes",
    "{0} geht hier nicht; den Abstand als Felder schreiben, etwa */5 * * * * für alle fünf Minuten",
  ],
  ["{0} is not supported; it can be {1}", "{0} geht hier nicht; erlaubt ist {1}"],
  [
    "day of week: with six or seven fields only one of day of month and day of week can be set; write ? for the other",
    "Wochentag: bei sechs oder sieben Feldern kann nur der Tag oder der Wochentag angegeben werden; für den anderen ? schreiben",
  ],
  [
    "day of week: after # give its number in the month, 1 to 5, such as FRI#2 for the second Friday",
    "Wochentag: nach # steht seine Nummer im Monat, 1 bis 5, etwa FRI#2 für den zweiten Freitag",
  ],
  ["{0} is out of range; it can be {1}", "{0!} liegt außerhalb des Bereichs; erlaubt ist {1!}"],
  ["{0} has no step after /; it can be {1}", "{0!}: die Schrittweite nach / fehlt; erlaubt ist {1!}"],
  ["{0} has the step {1}; it can be {2}", "{0!}: die Schrittweite {1} geht nicht; erlaubt ist {2!}"],
  ["0 (Sunday) to 6 (Saturday), 7 (Sunday) or SUN to SAT", "0 (Sonntag) bis 6 (Samstag), 7 (Sonntag) oder SUN bis SAT"],
  ["1 (Sunday) to 7 (Saturday) or SUN to SAT", "1 (Sonntag) bis 7 (Samstag) oder SUN bis SAT"],
  ["{0} has two steps; write one, such as */5", "{0!} hat zwei Schrittweiten; eine angeben, etwa */5"],
  ["{0} has two hyphens; a range has two ends, such as 1-5", "{0!} hat zwei Bindestriche; ein Bereich hat zwei Enden, etwa 1-5"],
  ["{0} ends before it starts; write {1}", "{0!} endet vor dem Anfang; {1} schreiben"],
  ["{0} lacks a value; it can be * or {1}", "{0!}: ein Wert fehlt; erlaubt ist * oder {1!}"],
  ["{0} can't hold ? here; write *", "{0!}: ? geht hier nicht; * schreiben"],
  ["{0} is invalid; it can be * or {1}", "{0!} ist ungültig; erlaubt ist * oder {1!}"],
  [
    "{0} is invalid; W must follow a single day, such as 15W, or L, as in LW",
    "{0!} ist ungültig; W folgt auf einen Tag (15W) oder auf L (LW)",
  ],
  [
    "{0} is invalid; L must be L, LW, or L with a number of days, such as L-3",
    "{0!} ist ungültig; L geht allein, als LW oder mit einer Zahl von Tagen (L-3)",
  ],
  [
    "{0} is invalid; L must follow a day of the week, such as FRIL for the last Friday",
    "{0!} ist ungültig; L folgt auf einen Wochentag, etwa FRIL für den letzten Freitag",
  ],
  ["{0} is invalid; # belongs in day of week, such as FRI#2", "{0!} ist ungültig; # gehört zum Wochentag, etwa FRI#2"],
  // Last, since they fit parts of the others.
  ["{0} to {1} or JAN to DEC", "{0} bis {1} oder JAN bis DEC"],
  ["{0} to {1}", "{0} bis {1}"],
];

/** Words that the service writes in the places of such a sentence. */
const words: Readonly<Record<string, string>> = {
  // The reasons of versions that were saved without one.
  "Initial Workflow": "Angelegt",
  "Updated Workflow": "Geändert",
  "Initial Task Template": "Angelegt",
  "Updated Task Template": "Geändert",
  "Initial WorkflowTemplate": "Angelegt",
  "Updated WorkflowTemplate": "Geändert",
  // What a role in a team may do.
  "Can do everything in the team": "Kann im Team alles",
  "Can read, create, change and run everything in the team, but can't delete or manage approver groups":
    "Kann im Team alles lesen, erstellen, ändern und ausführen, aber nichts löschen und keine Genehmigergruppen verwalten",
  "Can read everything in the team": "Kann im Team alles lesen",
  missed: "verpasst",
  refused: "abgelehnt",
  submitted: "gestartet",
  second: "Sekunde",
  minute: "Minute",
  hour: "Stunde",
  "day of month": "Tag",
  month: "Monat",
  "day of week": "Wochentag",
  year: "Jahr",
};

/** The name of a field of an expression, before its value. */
const field = /^(second|minute|hour|day of month|month|day of week|year) (?=\S)/;

/** @returns the sentence as it is if it belongs to no known family, such as what a library or the receiver of a delivery said */
export function outcomeInGerman(sentence: string): string {
  if (Object.hasOwn(words, sentence)) return words[sentence] ?? sentence;
  const translated = translatedBy(families, sentence, outcomeInGerman);
  if (translated !== sentence) return translated;
  return field.test(sentence) ? sentence.replace(field, (_, name: string) => `${words[name]} `) : reasonInGerman(sentence);
}
