import fc from "fast-check";
import { expect, test } from "vitest";
import type { OutboundEvent } from "../outbound-event.ts";
import { manyLines, oneLine, renderMail } from "./render-mail.ts";

const publicUrl = "https://millrace.example";
const types = [
  "workflowrun.failed",
  "taskrun.succeeded",
  "action.submitted",
  "action.reminder",
  "schedule.error",
  "alert.run_late",
  "alert.queue_late",
  "alert.schedule_missed",
  "subscription.test",
  "x",
];
const anyText = fc.string({ unit: "binary", maxLength: 300 });

test("whatever is in an event, the subject is one short line, HTML has only our own tags, and links lead here", () => {
  const members = [
    "workflowDisplayName",
    "workflowName",
    "name",
    "taskName",
    "status",
    "statusMessage",
    "instructions",
    "link",
    "deadline",
    "message",
    "scheduledDate",
    "id",
  ];
  const data = fc.record(Object.fromEntries(members.map((member) => [member, anyText])), { requiredKeys: [] });
  fc.assert(
    fc.property(data, anyText, anyText, fc.constantFrom(...types), (data, team, name, type) => {
      const event = {
        type: `dev.millrace.${type}`,
        time: "2026-01-02T03:04:05.678Z",
        team,
        workflow: name,
        data,
      } as unknown as OutboundEvent;
      const frame = { appName: name, publicUrl, subscription: { name, link: `${publicUrl}/s` } };
      const { subject, text, html } = renderMail(event, frame);
      expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect([...subject].length).toBeLessThan(220);
      expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
      const tags = new Set(html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/^<\/?(!?\w+)[^>]*>$/, "$1")));
      for (const tag of tags)
        expect(["!doctype", "html", "head", "meta", "body", "p", "strong", "table", "tr", "th", "td", "br", "a", "small"]).toContain(tag);
      for (const [, address] of html.matchAll(/href="([^"]*)"/g)) expect(address!.startsWith(`${publicUrl}/`)).toBe(true);
    }),
  );
});

test("lines stay lines where they may, and letters stay whole where text is cut", () => {
  expect(oneLine(" a\r\nb\u2028c\u202Ed ")).toBe("a b c d");
  expect(manyLines("a\r\nb\u0000\n\n c ")).toBe("a\nb\n\n c");
  expect(oneLine("😀😀😀", 2)).toBe("😀…");
});
