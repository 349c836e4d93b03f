import { ApiError } from "@millrace/client/api-error.ts";
import { errors } from "@millrace/contract/errors.ts";
import { expect, test } from "vitest";
import { errorInGerman, inGerman } from "./german-errors.ts";

test.each([
  ["PERMISSION_DENIED", "Not allowed: needs workflow/write", "Nicht erlaubt: needs workflow/write"],
  [
    "PERMISSION_DENIED",
    "Not allowed: this needs the permission workflow/write in team a",
    "Nicht erlaubt: dafür ist das Recht workflow/write im Team a nötig",
  ],
  [
    "ACTION_UNABLE_TO_ACTION",
    "Action 7 cannot be decided: it is approved already",
    "Über die Aufgabe 7 kann nicht entschieden werden: sie ist schon genehmigt",
  ],
  [
    "ACTION_UNABLE_TO_ACTION",
    "Action 7 cannot be decided: Ada has voted on it already",
    "Über die Aufgabe 7 kann nicht entschieden werden: Ada hat schon darüber abgestimmt",
  ],
  [
    "ACTION_INVALID_DELEGATE",
    "Action 7 cannot be delegated to bo@example.com: that person can vote already",
    "Die Aufgabe 7 kann nicht an bo@example.com delegiert werden: diese Person kann schon abstimmen",
  ],
  [
    "CONFLICT",
    "Workflow a has 2 open runs; cancel them first, or delete without force=false, which cancels them",
    "Workflow a: es gibt noch 2 offene Läufe; zuerst abbrechen, oder ohne force=false löschen, was sie abbricht",
  ],
  ["CONFLICT", "approved by nobody", "approved by nobody"],
  ["QUOTA_EXCEEDED", "Quota maxRuns of team a: b exceeded: 3 of 2", "Kontingent maxRuns des Teams a: b überschritten: 3 von 2"],
  ["WORKFLOWRUN_INVALID_REFERENCE", "There is no run 12 in\nteam", "Es gibt keinen Lauf 12 in\nteam"],
  ["INTERNAL", errors.INTERNAL.text, "Interner Fehler; Einzelheiten stehen unter dieser Anfrage-ID im Log des Dienstes"],
  ["NOT_FOUND", "There is no $& (.*)", "Nicht gefunden: $& (.*)"],
  ["NOT_FOUND", "A proxy says something else", "A proxy says something else"],
  ["CONFLICT", "There is a view with the name x already", "Es gibt schon eine Ansicht mit dem Namen x"],
  ["toString", "x", "x"],
])("%s: %s", (reason, message, german) => expect(inGerman(reason, message)).toBe(german));

test("each German message has the same placeholders as the English one", () => {
  for (const [reason, { text }] of Object.entries(errors)) {
    const places = (one: string) => [...one.matchAll(/\{\d\}/g)].map(([all]) => all).sort();
    const filled = text.replace(/\{(\d)\}/g, "<$1>");
    const german = inGerman(reason, filled);
    if (german !== filled) expect([reason, places(german.replace(/<(\d)>/g, "{$1}"))]).toEqual([reason, places(text)]);
  }
});

test("an error keeps what programs read, and says in German what is wrong with each field", () => {
  const english = errors.VALIDATION_FAILED.text.replace("{0}", "body /name is missing");
  const details = [
    { path: "/name", message: "is missing" },
    { path: "/odd", message: "is odd" },
  ];
  expect(errorInGerman(new ApiError(400, "VALIDATION_FAILED", english, "r1", details, { code: 7 }))).toMatchObject({
    ...{ status: 400, reason: "VALIDATION_FAILED", requestId: "r1", code: 7 },
    message: "Die Anfrage ist ungültig: body /name fehlt",
    errors: [{ path: "/name", message: "fehlt" }, details[1]],
  });
});
