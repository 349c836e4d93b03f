import fc from "fast-check";
import { expect, test } from "vitest";
import { renderInvitation } from "./invitation-mail.ts";

const link = "https://millrace.example/sign-in/invitation#mri_1";
const base = { appName: "Millrace", team: "The Hawks", inviter: "Ada", role: "editor", email: "bob@example.com", link };
const expiresAt = new Date("2026-03-09T08:15:00.000Z");
const anyText = fc.string({ unit: "binary", maxLength: 300 });

test("it says who invites, to what, as what, and until when", () => {
  const { subject, text } = renderInvitation({ ...base, expiresAt });
  expect(subject).toBe("Ada invited you to The Hawks on Millrace");
  expect(text).toContain("You will be an editor, who can change and run everything in the team.");
  expect(text).toContain("It works once, until 2026-03-09 08:15 UTC, and only for bob@example.com.");
  expect(text).toContain(`\n\n${link}\n\n`);
});

test("whatever people are called, the subject is one line, HTML has only our own tags, and the only address is the link", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (team, inviter, appName) => {
      const { subject, html } = renderInvitation({ ...base, team, inviter, appName, expiresAt });
      expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const tags = [...html.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag);
      expect(new Set(tags)).toEqual(new Set(["html", "head", "meta", "body", "p", "strong", "a", "small"]));
      expect([...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual([link]);
    }),
  );
});

test.each([
  ["https://evil.example/x", "https evil. example x"],
  ["see evil.example", "see evil. example"],
  ["ada@example.com", "ada@example.com"],
  ["J. R. Smith", "J. R. Smith"],
])("a mail program finds no other address in the name %j", (name, shown) => {
  expect(renderInvitation({ ...base, inviter: name, expiresAt }).subject).toBe(`${shown} invited you to The Hawks on Millrace`);
});
