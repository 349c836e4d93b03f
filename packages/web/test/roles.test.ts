import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";
import { readSource, screens, sections, source } from "./kit/screens.ts";
import { type Action, type Role, roles } from "./roles/action.ts";
import { adminActions } from "./roles/admin-actions.ts";
import { configureActions } from "./roles/configure-actions.ts";
import { equipmentActions } from "./roles/equipment-actions.ts";
import { manageActions } from "./roles/manage-actions.ts";
import { ownActions } from "./roles/own-actions.ts";
import { castOf, members } from "./roles/play.ts";
import { runActions } from "./roles/run-actions.ts";
import { sharedActions } from "./roles/shared-actions.ts";
import { workflowActions } from "./roles/workflow-actions.ts";

/** The table that the tests in `roles` run: it contains each screen, and its permissions for each role match the documents. */
const actions: readonly Action[] = [
  ...ownActions,
  ...adminActions,
  ...sharedActions,
  ...workflowActions,
  ...configureActions,
  ...runActions,
  ...equipmentActions,
  ...manageActions,
];

describe("the actions of the roles", () => {
  test("each screen has at least one action, and each action belongs to a screen", () => {
    for (const [path, found] of Object.entries(sections)) expect([path, found.length > 3]).toEqual([path, true]);
    const shown = screens();
    expect(shown.length).toBeGreaterThan(40);
    expect([...new Set(actions.map(({ screen }) => screen))].sort()).toEqual([...shown].sort());
  });

  test("who may do them is what the table of docs/api-design.md says", () => {
    const text = readFileSync(join(repositoryRoot, "docs/api-design.md"), "utf8");
    const lines = [...text.matchAll(/^\| (admin|owner|editor|reader) +\| (instance|team) +\| (.*?) +\|$/gm)];
    const granted = new Map(lines.map(([, role, where, list = ""]) => [role, { where, actions: [...list.matchAll(/`\*\*\/(\S+?)`/g)] }]));
    expect(granted.size).toBe(roles.length);
    for (const { screen, action, needs, may } of actions.filter(({ needs }) => needs !== undefined)) {
      const wanted = needs?.permission.split("/")[1] ?? "";
      const expected = roles.filter((role) => {
        const { where, actions = [] } = granted.get(role) ?? {};
        // In a team an instance-wide permission counts too.
        return (where === "instance" || needs?.in === "team") && actions.some(([, action]) => action === "**" || action === wanted);
      });
      expect([screen, action, may]).toEqual([screen, action, expected]);
    }
  });

  test("each action that a role may not do is also tried with the API", () => {
    const unasked = actions.filter(({ may, request }) => may.length < roles.length && request === undefined);
    expect(unasked.map(({ screen, action }) => `${screen}: ${action}`)).toEqual([]);
  });

  test("each is tried by the lowest role that may do it, and refused to all others", () => {
    const request = () => ["GET", "/"] as const;
    const cast = (...may: Role[]) => castOf({ may, request });
    expect(cast("owner", "editor", "admin")).toEqual({ doing: ["editor"], allowed: ["admin"], refused: ["reader"], asking: [] });
    expect(cast("owner", "admin")).toEqual({ doing: ["owner"], allowed: ["admin"], refused: ["editor"], asking: ["reader"] });
    expect(cast("admin")).toEqual({ doing: ["admin"], allowed: [], refused: ["owner"], asking: ["reader", "editor"] });
    expect(cast(...roles)).toEqual({ doing: ["reader"], allowed: ["admin"], refused: [], asking: [] });
    expect(cast()).toEqual({ doing: [], allowed: [], refused: ["owner", "admin"], asking: ["reader", "editor"] });
    // Actions without an API request are done in the browser.
    expect(castOf({ may: [...roles] })).toEqual({ doing: ["reader", "admin"], allowed: [], refused: [], asking: [] });
    // A role with more rights in the team may do what a role with fewer may.
    for (const { may } of actions) {
      const able = members.map((role) => may.includes(role));
      expect(able).toEqual([...able].sort());
    }
  });

  test("pages check permissions, never roles: members of a role come from the service", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test|\.generated)\.tsx?$/.test(file));
    expect(files.filter((file) => /\brole\b\s*[!=]==/.test(readSource(file)))).toEqual([]);
  });
});
