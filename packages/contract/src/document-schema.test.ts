import { expect, test } from "vitest";
import { documentSchema } from "./document-schema.ts";

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

const schema = documentSchema("workflow") as Schema;

const alternatives = ({ anyOf, ...own }: Schema): Schema[] => [own, ...(anyOf ?? [])];
const targetOf = ({ $ref, ...own }: Schema): Schema => ($ref === undefined ? own : (schema.$defs?.[$ref.replace("#/$defs/", "")] ?? own));
const membersOf = (one: Schema): [string, Schema][] =>
  alternatives(one).flatMap((each) => Object.entries(targetOf(each.items ?? each).properties ?? {}));
const isDescribed = (one: Schema) => alternatives(one).some((each) => (each.description ?? targetOf(each).description) !== undefined);

test("each member that people write has a description for editors", () => {
  const places = ["tasks", "params", "results"].flatMap((list) =>
    membersOf(schema).flatMap(([name, member]) =>
      name === list ? membersOf(member).map(([key, one]) => [`${list}.${key}`, one] as const) : [],
    ),
  );
  const unknown = [...membersOf(schema), ...places].filter(([, one]) => !isDescribed(one)).map(([name]) => name);
  expect(places.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});
