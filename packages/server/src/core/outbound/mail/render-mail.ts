import type { OutboundEvent } from "../outbound-event.ts";
import { describeEvent } from "./describe-event.ts";
import { manyLines, oneLine } from "./plain-text.ts";

/** What stands around the event. */
export interface MailFrame {
  appName: string;
  /** Name of the subscription, and the address at which it can be changed. */
  subscription: { name: string; link: string };
  /** Only addresses below it become links. */
  publicUrl: string;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** The email about an event, as plain text and as HTML that says the same. What others have written is cleaned, bounded and escaped. */
export function renderMail(event: OutboundEvent, frame: MailFrame): RenderedMail {
  const words = describeEvent(event);
  const headline = oneLine(words.headline, 150);
  const facts = words.facts.map(([label, value]): [string, string] => [label, oneLine(value, 500)]).filter(([, value]) => value !== "");
  const instructions = words.instructions === undefined ? "" : manyLines(words.instructions);
  const link = words.link?.startsWith(`${frame.publicUrl}/`) ? oneLine(words.link, 1000) : undefined;
  const team = event.team === undefined ? "" : `[${oneLine(event.team, 60)}] `;
  const parts = { headline, facts, instructions, link, why: whyOf(frame), change: frame.subscription.link };
  return { subject: `${team}${headline}`, text: asText(parts), html: asHtml(parts) };
}

interface Parts {
  headline: string;
  facts: [string, string][];
  instructions: string;
  link: string | undefined;
  why: string;
  change: string;
}

function whyOf({ appName, subscription }: MailFrame): string {
  return `${oneLine(appName, 100)} sends you this email because of the subscription "${oneLine(subscription.name, 100)}". Change or delete it at:`;
}

function asText({ headline, facts, instructions, link, why, change }: Parts): string {
  const blocks = [
    headline,
    instructions,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    link ?? "",
    `-- \n${why}\n${change}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function asHtml({ headline, facts, instructions, link, why, change }: Parts): string {
  const rows = facts.map(([label, value]) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`);
  return [
    "<!doctype html>",
    '<html><head><meta charset="utf-8"></head><body>',
    `<p><strong>${escapeHtml(headline)}</strong></p>`,
    ...(instructions === "" ? [] : [`<p>${escapeHtml(instructions).replaceAll("\n", "<br>\n")}</p>`]),
    `<table>${rows.join("\n")}</table>`,
    ...(link === undefined ? [] : [`<p>${anchor(link)}</p>`]),
    `<p><small>${escapeHtml(why)} ${anchor(change)}</small></p>`,
    "</body></html>",
    "",
  ].join("\n");
}

function anchor(address: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}
