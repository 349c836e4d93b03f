import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { ICUArgs, ICUTags } from "use-intl/core";
import { describe, expect, test } from "vitest";
import { t as actions } from "../actions.ts";
import { t as audit } from "../audit.ts";
import { t as code } from "../code.ts";
import { t as forms } from "../forms.ts";
import { t as frame } from "../frame.ts";
import { t as home } from "../home.ts";
import { t as profile } from "../identity/profile.ts";
import { t as signIn } from "../identity/sign-in.ts";
import { t as tokens } from "../identity/tokens.ts";
import { t as integrations } from "../integrations.ts";
import { t as missing } from "../missing.ts";
import { t as onCall } from "../on-call.ts";
import { t as parameters } from "../parameters.ts";
import { t as results } from "../results.ts";
import { t as activity } from "../run/activity.ts";
import { t as bulk } from "../run/bulk.ts";
import { t as comments } from "../run/comments.ts";
import { t as insights } from "../run/insights.ts";
import { t as log } from "../run/log.ts";
import { t as rerun } from "../run/rerun.ts";
import { t as run } from "../run/run.ts";
import { t as runCompare } from "../run/run-compare.ts";
import { t as views } from "../run/views.ts";
import { t as schedules } from "../schedules.ts";
import { t as administration } from "../settings/administration.ts";
import { t as setup } from "../settings/setup.ts";
import { t as shared } from "../shared.ts";
import { t as taskForm } from "../task/task-form.ts";
import { t as tasks } from "../task/tasks.ts";
import { t as team } from "../team.ts";
import { t as ui } from "../ui.ts";
import { t as configure } from "../workflow/configure.ts";
import { t as designer } from "../workflow/designer.ts";
import { t as protection } from "../workflow/protection.ts";
import { t as request } from "../workflow/request.ts";
import { t as templates } from "../workflow/templates.ts";
import { t as trial } from "../workflow/trial.ts";
import { t as triggers } from "../workflow/triggers.ts";
import { t as turns } from "../workflow/turns.ts";
import { t as workflowOverview } from "../workflow/workflow-overview.ts";
import { t as workflowTests } from "../workflow/workflow-tests.ts";
import { t as workflows } from "../workflow/workflows.ts";
import { catalogues } from "./all.ts";

const english = {
  "workflow-tests": workflowTests.english,
  turns: turns.english,
  rerun: rerun.english,
  request: request.english,
  actions: actions.english,
  activity: activity.english,
  administration: administration.english,
  audit: audit.english,
  bulk: bulk.english,
  comments: comments.english,
  configure: configure.english,
  designer: designer.english,
  code: code.english,
  forms: forms.english,
  frame: frame.english,
  home: home.english,
  insights: insights.english,
  integrations: integrations.english,
  log: log.english,
  missing: missing.english,
  "on-call": onCall.english,
  parameters: parameters.english,
  profile: profile.english,
  protection: protection.english,
  results: results.english,
  "run-compare": runCompare.english,
  run: run.english,
  schedules: schedules.english,
  setup: setup.english,
  shared: shared.english,
  "sign-in": signIn.english,
  "task-form": taskForm.english,
  tasks: tasks.english,
  team: team.english,
  templates: templates.english,
  tokens: tokens.english,
  trial: trial.english,
  triggers: triggers.english,
  ui: ui.english,
  views: views.english,
  "workflow-overview": workflowOverview.english,
  workflows: workflows.english,
} as const;

type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The keys of all texts, as `part.key`. */
type KeysOf<Texts extends Catalogue> = { [Part in keyof Texts & string]: `${Part}.${keyof Texts[Part] & string}` }[keyof Texts & string];
type At<Texts extends Catalogue, Key> = Key extends `${infer Part}.${infer Name}` ? Texts[Part][Name] : never;

/** The placeholders of a text: its values and its tags. */
type Asked<Text extends string> =
  | keyof ICUArgs<Text, { ICUArgument: string; ICUNumberArgument: number; ICUDateArgument: Date }>
  | keyof ICUTags<Text, true>;
type AsksOther<One extends string, Other extends string> = [Asked<One>] extends [Asked<Other>]
  ? [Asked<Other>] extends [Asked<One>]
    ? false
    : true
  : true;

/** The problem with a German catalogue, as a message that the compiler shows. */
type Wrong<English extends Catalogue, German extends Catalogue> =
  | `German text missing: ${Exclude<KeysOf<English>, KeysOf<German>>}`
  | `no such English text: ${Exclude<KeysOf<German>, KeysOf<English>>}`
  | {
      [Key in KeysOf<English> & KeysOf<German>]: AsksOther<At<English, Key>, At<German, Key>> extends true
        ? `other values or tags: ${Key}`
        : never;
    }[KeysOf<English> & KeysOf<German>];

type Problems = {
  [Place in keyof typeof catalogues]: `${Place}: ${Wrong<(typeof english)[Place], (typeof catalogues)[Place]>}`;
}[keyof typeof catalogues];

/**
 * Where German and English differ, the compiler says `Type '"home: German text missing: createTeamDialog.name"' does not satisfy the constraint
 * 'never'`. The fix is a line in `german/home.ts`.
 */
type Nothing<Found extends never> = readonly Found[];
const problems: Nothing<Problems> = [];

/** `place part.key`, English, German. */
const texts = Object.entries(english as Readonly<Record<string, Catalogue>>).flatMap(([place, parts]) =>
  Object.entries(parts).flatMap(([part, messages]) =>
    Object.entries(messages).map(([key, text]) => {
      const translated = (catalogues as Readonly<Record<string, Catalogue>>)[place]?.[part]?.[key] ?? "";
      return { key: `${place} ${part}.${key}`, text, translated };
    }),
  ),
);

/** Words that are the same in German, and names of formats and products. */
const sameWords = new Set(
  [
    "Administration Administrator Agenda Android API Audit Auditor Browser C0RELEASES Chat Chrome Code Container Debug",
    "Definition Design Designer Details Edge Enter Executor Executors Filter Firefox Gi GiB Global gpu Graph Header Host ID",
    "id Image Installation Isolation JavaScript JSON Label Labels Links Linux linux Log Logs Markdown Maximum Median Mi Millrace",
    "min ms Name Navigation Offline Online Opera Operator Organisation Parameter Partner Person Phase Pod ReadWriteOnce",
    "Repository Safari Secret Signal Slug Sponsor SQL stage Start Status StepAction System T0HAWKS Tag Task Tasks Team",
    "Teams test Test Tests Text Tokens URL Version webhook Webhook whsec Windows Worker Workflow Workflows Workspace Workspaces",
    "YAML Zoom",
  ].flatMap((line) => line.split(" ")),
);
/** An example in a language that isn't translated. */
const sameTexts = ["type LIKE 'order.%' AND EXISTS region"];

/** The words of a text without values, tags and numbers. */
const words = (text: string) => text.replaceAll(/\{\w+(?:, number)?\}|<[^>]*>/g, "").match(/\p{L}[\p{L}\d]+/gu) ?? [];
const formatted = (text: string) => [...text.matchAll(/\{(\w+), number\}/g)].map(([, name]) => name).sort();

describe("the German texts", () => {
  test("are those of the English catalogues, each in a file of the same name", () => {
    const cataloguesIn = (folder: string) =>
      readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: "utf8" })
        .filter((name) => !/^(?:german\/.*|language\.ts|all\.ts|.*\.test\.ts)$/.test(name) && name.endsWith(".ts"))
        .sort();
    const places = cataloguesIn("..");
    expect(problems).toEqual([]);
    expect(cataloguesIn(".")).toEqual(places);
    expect(Object.keys(catalogues).sort()).toEqual(places.map((name) => basename(name, ".ts")).sort());
  });

  test("are none of the English ones, but for those of words that are the same in both", () => {
    const equal = texts
      .filter(({ text, translated }) => text === translated && !sameTexts.includes(text))
      .flatMap(({ text }) => words(text));
    expect([...new Set(equal)].filter((word) => !sameWords.has(word))).toEqual([]);
    expect([...sameWords].filter((word) => !equal.includes(word))).toEqual([]);
  });

  test("format the same numbers", () => {
    expect(texts.filter(({ text, translated }) => formatted(text).join() !== formatted(translated).join()).map(({ key }) => key)).toEqual(
      [],
    );
  });

  test("keep the punctuation of a sentence, and have German quotes and no English ellipsis", () => {
    const end = (text: string) => /[.:?!…]$/.exec(text)?.[0];
    expect(texts.filter(({ text, translated }) => end(text) !== end(translated)).map(({ key }) => key)).toEqual([]);
    expect(
      texts.filter(({ translated }) => /“[^„]*”|[\p{L}]…/u.test(translated)).map(({ key, translated }) => `${key}: ${translated}`),
    ).toEqual([]);
  });
});
