import type { ActionState } from "../../chat/event-message.ts";
import { escapeHtml, markdownAsHtml } from "../message-markdown.ts";
import type { OutboundEvent } from "../outbound-event.ts";
import { actionPage, runPage, schedulePage } from "../page-links.ts";
import { describeEvent } from "./describe-event.ts";

/** The parts of an email other than the event. */
interface MailFrame {
  appName: string;
  /** Name of the subscription, and the address of the page where it can be changed. */
  subscription: { name: string; link: string };
  /** Addresses below this one become links, and so do the links of an action. */
  publicUrl: string;
  /** The current state of the action that the event is about. */
  action?: ActionState | undefined;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** The email about an event, as plain text and as HTML with the same content. Text from users is cleaned, shortened and escaped. */
export function renderMail(event: OutboundEvent, frame: MailFrame): RenderedMail {
  const words = describeEvent(event);
  const headline = oneLine(words.headline, 150);
  const asked = frame.action?.status === "submitted" ? frame.action : undefined;
  const toFillIn = asked === undefined || asked.fields.length === 0 ? [] : [["To fill in", asked.fields.join(", ")] as const];
  const facts = [...words.facts, ...toFillIn]
    .map(([label, value]): [string, string] => [label, oneLine(value, 500)])
    .filter(([, value]) => value !== "");
  const instructions = words.instructions === undefined ? "" : manyLines(words.instructions);
  const link = pageOf(event, frame.publicUrl) ?? (words.link?.startsWith(`${frame.publicUrl}/`) ? oneLine(words.link, 1000) : undefined);
  const links = asked === undefined ? [] : linksOf(event, asked, frame.publicUrl);
  const linkLabel = asked === undefined ? undefined : event.data["type"] === "manual" ? "Open the task" : "Decide here";
  const team = event.team === undefined ? "" : `[${oneLine(event.team, 60)}] `;
  const foot = whyOf(frame);
  return renderPage({
    subject: `${team}${headline}`,
    headline,
    facts,
    body: instructions,
    // A comment of a person is plain text, as in the interface.
    isMarkdown: !event.type.endsWith(".commented"),
    links,
    link,
    linkLabel,
    foot,
    footLink: frame.subscription.link,
  });
}

/** The page of the object in the interface; undefined: only the API has it. */
function pageOf({ type, team, data }: OutboundEvent, publicUrl: string): string | undefined {
  if (team === undefined) return undefined;
  const [kind = "", status = ""] = type.split(".").slice(-2);
  const [name, id, run] = [oneLine(team), idOf(data["id"]), idOf(data["workflowRunRef"])];
  if (kind === "action" && id) return actionPage(publicUrl, name, id);
  if ((kind === "workflowrun" || status === "run_late") && id) return runPage(publicUrl, name, id);
  if (kind === "taskrun" && run) return runPage(publicUrl, name, run, id);
  if (status === "queue_late" && run) return runPage(publicUrl, name, run, idOf(data["taskRunRef"]));
  return (kind === "schedule" || status.startsWith("schedule_")) && id ? schedulePage(publicUrl, name, id) : undefined;
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{1,100}$/.test(value) ? value : undefined;
}

const maxLinks = 20;

/**
 * The links of the action, and the pages that show its attachments. Links from the workflow are shown with their full address, so they
 * can't look like ours.
 */
function linksOf({ team, data }: OutboundEvent, { links, attachments }: ActionState, publicUrl: string): [string, string][] {
  const [name, run, action] = [oneLine(team ?? ""), String(data["workflowRunRef"] ?? ""), String(data["id"] ?? "")];
  const attached = attachments.map(({ label, taskRunId }): [string, string] => [
    label,
    taskRunId === null ? actionPage(publicUrl, name, action) : runPage(publicUrl, name, run, taskRunId),
  ]);
  const named = links.map(({ label, url }): [string, string] => [label === url ? "Link" : label, url]);
  return [...named, ...attached]
    .slice(0, maxLinks * 2)
    .filter(([, url]) => /^(https?|mailto):/.test(url))
    .map(([label, url]) => [oneLine(label), oneLine(url, 2000)]);
}

/** The parts of an email, each cleaned and shortened; HTML escapes them. */
interface MailPage {
  subject: string;
  headline: string;
  facts: readonly [string, string][];
  /** Line breaks are kept. */
  body: string;
  /** Whether the body is Markdown, which HTML shows formatted. */
  isMarkdown?: boolean;
  /** Further links, each with a label. */
  links?: readonly [label: string, url: string][];
  /** An address of this instance. */
  link: string | undefined;
  linkLabel?: string | undefined;
  foot: string;
  footLink?: string;
}

export function renderPage(page: MailPage): RenderedMail {
  return { subject: page.subject, text: asText(page), html: asHtml(page) };
}

function whyOf({ appName, subscription }: MailFrame): string {
  return `${oneLine(appName, 100)} sends you this email because of the subscription "${oneLine(subscription.name, 100)}". Change or delete it at:`;
}

function asText({ headline, facts, body, links = [], link, linkLabel, foot, footLink }: MailPage): string {
  const blocks = [
    headline,
    body,
    links.map(([label, url]) => `${label}: ${url}`).join("\n"),
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    link === undefined ? "" : `${labelled(linkLabel)}${link}`,
    ["-- ", foot, footLink].filter((line) => line !== undefined).join("\n"),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

const labelled = (label: string | undefined) => (label === undefined ? "" : `${label}: `);

function asHtml({ headline, facts, body, isMarkdown = false, links = [], link, linkLabel, foot, footLink }: MailPage): string {
  const rows = facts.map(([label, value]) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`);
  return [
    "<!doctype html>",
    '<html><head><meta charset="utf-8"></head><body>',
    `<p><strong>${escapeHtml(headline)}</strong></p>`,
    ...(body === "" ? [] : [isMarkdown ? markdownAsHtml(body) : `<p>${escapeHtml(body).replaceAll("\n", "<br>\n")}</p>`]),
    ...(links.length === 0 ? [] : [`<p>${links.map(([label, url]) => `${escapeHtml(label)}: ${anchor(url)}`).join("<br>\n")}</p>`]),
    ...(rows.length === 0 ? [] : [`<table>${rows.join("\n")}</table>`]),
    ...(link === undefined ? [] : [`<p>${labelled(linkLabel)}${anchor(link)}</p>`]),
    `<p><small>${[escapeHtml(foot), ...(footLink === undefined ? [] : [anchor(footLink)])].join(" ")}</small></p>`,
    "</body></html>",
    "",
  ].join("\n");
}

function anchor(address: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
}

/**
 * Text from users in a form that is safe in an email: without control characters, and without invisible characters that change what is
 * shown (writing direction, zero width). So a name can neither start a new header nor look like something else.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffd]+/gu;

/** As one line, cut to at most `maxLength` characters. */
export function oneLine(text: string, maxLength = 200): string {
  return cut(text.replace(unseen, " ").replace(/\s+/g, " ").trim(), maxLength);
}

/** Line breaks are kept. */
export function manyLines(text: string, maxLength = 4000): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.replaceAll("\t", "  ").replace(unseen, "").trimEnd());
  return cut(lines.join("\n").trim(), maxLength);
}

/** Never cuts inside a character. */
function cut(text: string, maxLength: number): string {
  const letters = [...text];
  return letters.length <= maxLength ? text : `${letters.slice(0, maxLength - 1).join("")}…`;
}
