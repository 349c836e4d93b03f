import { ApiError } from "@millrace/client/api-error.ts";
import { errors } from "@millrace/contract/errors.ts";
import { expect, test } from "vitest";
import { errorInGerman, inGerman } from "./german-errors.ts";

test.each([
  ["PERMISSION_DENIED", "Not allowed: needs workflow/write", "Nicht erlaubt: needs workflow/write"],
  ["QUOTA_EXCEEDED", "Quota maxRuns of team a: b exceeded: 3 of 2", "Kontingent maxRuns des Teams a: b überschritten: 3 von 2"],
  ["WORKFLOWRUN_INVALID_REFERENCE", "There is no run 12 in\nteam", "Es gibt keinen Lauf 12 in\nteam"],
  ["INTERNAL", errors.INTERNAL.text, "Interner Fehler; Einzelheiten stehen unter dieser Anfrage-ID im Log des Dienstes"],
  ["NOT_FOUND", "There is no $& (.*)", "Nicht gefunden: $& (.*)"],
  ["NOT_FOUND", "A proxy says something else", "A proxy says something else"],
  ["CONFLICT", "There is a view with the name x already", "There is a view with the name x already"],
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
