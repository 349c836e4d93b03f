import { expect, test } from "vitest";
import { problemInGerman } from "./german-problems.ts";

test.each([
  [
    '$(params.url): there is no parameter "url" (the workflow does not declare it, and neither the team nor the instance has it); declare it in the params of the workflow',
    '$(params.url): es gibt keinen Parameter "url" (weder der Workflow noch das Team noch die Instanz hat ihn); in den Parametern des Workflows deklarieren',
  ],
  ['$(tasks.a.results.x): the workflow has no task "a"', '$(tasks.a.results.x): der Workflow hat keinen Task "a"'],
  [
    '$(tasks.a.results.x): task "a" has no result "x"; it has y, z',
    '$(tasks.a.results.x): der Task "a" hat kein Ergebnis "x"; er hat y, z',
  ],
  ['task send has no parameter "tpo"; did you mean to?', 'der Task send hat keinen Parameter "tpo"; gemeint ist vielleicht to'],
  [
    'approver group "Leads" has one member, but 2 have to approve',
    'die Genehmigergruppe "Leads" hat ein Mitglied, doch 2 müssen genehmigen',
  ],
  [
    'approver group "Leads" has 0 members, but someone has to approve',
    'die Genehmigergruppe "Leads" hat 0 Mitglieder, doch jemand muss genehmigen',
  ],
  // What is said of single fields of any request, too.
  ['parameter "count" must be a number, but is "many"', 'Parameter "count" muss eine Zahl sein, ist aber "many"'],
  ["says something else", "says something else"],
])("%s", (english, german) => expect(problemInGerman(english)).toBe(german));
