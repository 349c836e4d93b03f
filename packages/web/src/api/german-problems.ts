import { detailInGerman } from "./german-details.ts";
import { type MessageFamily, translatedBy } from "./german-families.ts";

/** What a check of a workflow finds while it is edited, in German. Names and references stay as they are. */
export const problemFamilies: readonly MessageFamily[] = [
  // References.
  [
    '{0}: there is no parameter "{1}" (the workflow does not declare it, and neither the team nor the instance has it); declare it in the params of the workflow',
    '{0}: es gibt keinen Parameter "{1}" (weder der Workflow noch das Team noch die Instanz hat ihn); in den Parametern des Workflows deklarieren',
  ],
  [
    '{0}: there is no parameter "{1}" (it is not declared); declare it in the params of the workflow',
    '{0}: es gibt keinen Parameter "{1}"; in den Parametern des Workflows deklarieren',
  ],
  ['{0}: the team has no team parameter "{1}" now', '{0}: das Team hat zurzeit keinen Parameter "{1}"'],
  ['{0}: there is no global parameter "{1}" now', '{0}: die Instanz hat zurzeit keinen Parameter "{1}"'],
  ['{0}: runs have no parameter "{1}" of their own', '{0}: Läufe haben keinen eigenen Parameter "{1}"'],
  ['{0}: the workflow has no task "{1}"', '{0}: der Workflow hat keinen Task "{1}"'],
  ["{0}: a task can't read its own results", "{0}: ein Task kann seine eigenen Ergebnisse nicht lesen"],
  ['{0}: task "{1}" comes after this one', '{0}: der Task "{1}" kommt nach diesem'],
  [
    '{0}: task "{1}" does not run before this one, so it may not have ended; add a dependency',
    '{0}: der Task "{1}" läuft nicht vor diesem und ist vielleicht noch nicht zu Ende; eine Abhängigkeit hinzufügen',
  ],
  ['{0}: task "{1}" has no result "{2}"; it declares none', '{0}: der Task "{1}" hat kein Ergebnis "{2}"; er deklariert keines'],
  ['{0}: task "{1}" has no result "{2}"; it has {3}', '{0}: der Task "{1}" hat kein Ergebnis "{2}"; er hat {3}'],
  [
    '{0}: task "{1}" does not declare the result "{2}" (it declares none); whether it exists is known only during the run',
    '{0}: der Task "{1}" deklariert kein Ergebnis "{2}" (er deklariert keines); ob es existiert, weiß erst der Lauf',
  ],
  [
    '{0}: task "{1}" does not declare the result "{2}" (it has {3}); whether it exists is known only during the run',
    '{0}: der Task "{1}" deklariert kein Ergebnis "{2}" (er hat {3}); ob es existiert, weiß erst der Lauf',
  ],
  [
    "{0} is not a reference and is left as written; did you mean {1}?",
    "{0} ist kein Verweis und bleibt stehen, wie es ist; gemeint ist vielleicht {1}",
  ],
  // The graph.
  ['another task has the name "{0}"', 'ein anderer Task heißt auch "{0}"'],
  ['"{0}" depends on "{1}", which is not in the workflow', '"{0}" hängt von "{1}" ab, was es im Workflow nicht gibt'],
  ['"{0}" depends on itself', '"{0}" hängt von sich selbst ab'],
  ["these tasks depend on each other in a cycle: {0}", "diese Tasks hängen im Kreis voneinander ab: {0}"],
  ['never runs: "{0}", which it waits for, can\'t fail', 'läuft nie: "{0}", worauf er wartet, kann nicht fehlschlagen'],
  ['never runs, because "{0}" before it never runs', 'läuft nie, weil "{0}" davor nie läuft'],
  [
    'never runs: the links before it need switch "{0}" to choose two paths that exclude each other',
    'läuft nie: die Verbindungen davor verlangen, dass die Verzweigung "{0}" zwei Wege nimmt, die einander ausschließen',
  ],
  [
    'never runs: the links before it need task "{0}" both to succeed and to fail',
    'läuft nie: die Verbindungen davor verlangen, dass der Task "{0}" gelingt und auch fehlschlägt',
  ],
  // Parameters of tasks.
  ['task {0} has no parameter "{1}"; did you mean {2}?', 'der Task {0} hat keinen Parameter "{1}"; gemeint ist vielleicht {2}'],
  [
    'task {0} has no parameter "{1}"; its value has no effect. It has {2}',
    'der Task {0} hat keinen Parameter "{1}"; der Wert bewirkt nichts. Er hat {2}',
  ],
  ['parameter "{0}" of task {1} is required and has no value', 'der Parameter "{0}" des Tasks {1} ist erforderlich und hat keinen Wert'],
  [
    'parameter "{0}" has no value, but a task of type {1} needs one',
    'der Parameter "{0}" hat keinen Wert, doch ein Task des Typs {1} braucht einen',
  ],
  ["no worker can run it now: it needs the executor {0}", "zurzeit kann ihn kein Worker ausführen: er braucht den Executor {0}"],
  // Approvals and manual tasks.
  [
    'parameter "{0}" names the approver group "{1}", which the team does not have',
    'der Parameter "{0}" nennt die Genehmigergruppe "{1}", die das Team nicht hat',
  ],
  [
    'approver group "{0}" has one member, but {1} have to approve',
    'die Genehmigergruppe "{0}" hat ein Mitglied, doch {1} müssen genehmigen',
  ],
  [
    'approver group "{0}" has {1} members, but someone has to approve',
    'die Genehmigergruppe "{0}" hat {1} Mitglieder, doch jemand muss genehmigen',
  ],
  [
    'approver group "{0}" has {1} members, but {2} have to approve',
    'die Genehmigergruppe "{0}" hat {1} Mitglieder, doch {2} müssen genehmigen',
  ],
  [
    'Parameter "{0}" must be a whole number of minutes from {1} to {2}',
    'Der Parameter "{0}" muss eine ganze Zahl von Minuten von {1} bis {2} sein',
  ],
  ['Parameter "{0}" must be a whole number from {1} to {2}', 'Der Parameter "{0}" muss eine ganze Zahl von {1} bis {2} sein'],
  ['Parameter "{0}" must be true or false', 'Der Parameter "{0}" muss true oder false sein'],
  [
    'Parameters "escalateAfter" and "escalateTo" must be given together',
    'Die Parameter "escalateAfter" und "escalateTo" müssen zusammen angegeben werden',
  ],
  [
    'Parameter "{0}" is {1}, and must be less than "{2}", which is {3}',
    'Der Parameter "{0}" ist {1} und muss kleiner als "{2}" sein, das {3} ist',
  ],
  ['Parameter "{0}" has {1} characters; at most {2} are allowed', 'Der Parameter "{0}" hat {1} Zeichen; erlaubt sind höchstens {2}'],
];

/** @returns the message as it is if it belongs to no known family */
export function problemInGerman(message: string): string {
  const found = translatedBy(problemFamilies, message, (word) => word);
  return found === message ? detailInGerman(message) : found;
}
