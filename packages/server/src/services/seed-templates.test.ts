import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../test/kit/database.ts";
import { Keyring } from "../base/secret/keyring.ts";
import { placeShippedTemplate } from "../domain/template/place-shipped-template.ts";
import { applyTemplate } from "../domain/template/save-template.ts";
import { transaction } from "../store/database/transaction.ts";
import { deleteTemplate, findTemplate, listTemplateChanges } from "../store/workflow/workflow-templates.ts";
import { seedCatalog, seedTemplates } from "./seed-catalog.ts";

const { sql } = await testDatabase();
const keyring = new Keyring([randomBytes(32)]);
const context = { author: "millrace", keyring };
const ship = (name: string, markdown: string) =>
  transaction(sql, (tx) => placeShippedTemplate(tx, context, JSON.stringify({ name, markdown })));
const versions = async (name: string) => (await listTemplateChanges(sql, name)).map(({ version, author }) => `${version} ${author}`);

test("templates are put in place once, also by processes that start at the same moment", async () => {
  await seedCatalog(sql);
  await Promise.all([seedTemplates(sql, keyring), seedTemplates(sql, keyring), seedTemplates(sql, keyring)]);
  expect(await versions("for-each-item")).toEqual(["1 millrace"]);
});

test("one that was deleted does not come back, neither at the next start nor with a new content", async () => {
  await ship("gone", "one");
  await deleteTemplate(sql, (await findTemplate(sql, "gone"))!.id);
  expect([await ship("gone", "one"), await ship("gone", "two")]).toEqual([false, false]);
  expect(await findTemplate(sql, "gone")).toBeUndefined();
});

test("a new content becomes a new version, also over what an administrator made of the old one", async () => {
  expect(await ship("changed", "one")).toBe(true);
  const input = { name: "changed", markdown: "mine" };
  await applyTemplate(sql, { author: "admin", keyring }, input, { replace: false, check: () => undefined });
  expect(await ship("changed", "one")).toBe(false);
  expect((await findTemplate(sql, "changed"))?.document.markdown).toBe("mine");
  expect(await ship("changed", "two")).toBe(true);
  expect(await versions("changed")).toEqual(["1 millrace", "2 admin", "3 millrace"]);
});

test("a template that someone made under the name before is left alone", async () => {
  await applyTemplate(sql, { author: "admin", keyring }, { name: "ours" }, { replace: false, check: () => undefined });
  expect(await ship("ours", "one")).toBe(false);
  expect(await versions("ours")).toEqual(["1 admin"]);
});
