import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readActionForm } from "./action-form.ts";
import { readFieldValues } from "./field-values.ts";

const read = (params: Record<string, unknown>) => readActionForm(new Map(Object.entries(params)));

describe("what a task asks for", () => {
  test("is empty by default", () => {
    expect(read({})).toEqual({ title: null, fields: [], links: [], attachments: [] });
    expect(read({ title: "", fields: "", links: " ", attachments: null })).toEqual(read({}));
  });

  test("is read from lists, and from JSON text", () => {
    const fields = [
      { name: "version", label: "Version", required: true, options: ["1.4", { key: "1.5", value: "1.5 (new)" }], type: "select" },
    ];
    const expected = [{ ...fields[0], options: [{ key: "1.4" }, { key: "1.5", value: "1.5 (new)" }] }];
    expect(read({ fields })).toMatchObject({ fields: expected });
    expect(read({ fields: JSON.stringify(fields) })).toMatchObject({ fields: expected });
    expect(
      read({
        title: "  Release\n1.4 ",
        links: [{ label: "Notes", url: "https://example.com/notes" }, { url: "mailto:ops@example.com" }],
        attachments: [{ label: "Report", text: { ok: 3 } }, { log: "build" }],
      }),
    ).toEqual({
      title: "Release 1.4",
      fields: [],
      links: [
        { label: "Notes", url: "https://example.com/notes" },
        { label: "mailto:ops@example.com", url: "mailto:ops@example.com" },
      ],
      attachments: [
        { label: "Report", text: '{\n  "ok": 3\n}' },
        { label: "build", log: "build" },
      ],
    });
  });

  test.each([
    [{ title: "x".repeat(201) }, 'Parameter "title" has 201 characters; at most 200 are allowed'],
    [{ fields: "{" }, 'Parameter "fields" must be a list, or JSON of one'],
    [{ fields: { name: "a" } }, 'Parameter "fields" must be a list, or JSON of one'],
    [{ fields: ["a"] }, 'Parameter "fields", element 1: must be an object'],
    [{ fields: [{ label: "A" }] }, 'element 1: "name" is missing'],
    [{ fields: [{ name: "a.b" }] }, 'field "a.b": "name" must begin with a letter'],
    [{ fields: [{ name: "__proto__" }] }, 'field "__proto__": this name is not allowed'],
    [{ fields: [{ name: "approvalStatus" }] }, 'field "approvalStatus": the task has a result of this name already'],
    [{ fields: [{ name: "a" }, { name: "a" }] }, 'field "a": another field has this name'],
    [{ fields: [{ name: "a", requird: true }] }, 'field "a": there is no member "requird"; did you mean required?'],
    [{ fields: [{ name: "a", required: "yes" }] }, 'field "a": "required" must be true or false'],
    [
      { fields: [{ name: "key", type: "password" }] },
      'field "key": a field can\'t be a secret, since results can be read; use a secret parameter of the team',
    ],
    [{ fields: [{ name: "key", type: "secret" }] }, "a field can't be a secret"],
    [{ fields: [{ name: "a", type: "colour" }] }, 'field "a": "type" is "colour"; it must be one of text, textarea'],
    [{ fields: [{ name: "a", type: "select" }] }, 'field "a": a select needs "options"'],
    [{ fields: [{ name: "a", type: "select", options: [1] }] }, '"options" must be a list of texts, or of objects with "key" and "value"'],
    [{ fields: [{ name: "a", type: "number", default: "many" }] }, 'field "a": the default must be a number, but is "many"'],
    [{ fields: Array.from({ length: 51 }, (_, at) => ({ name: `f${at}` })) }, 'Parameter "fields" has 51 elements; at most 50 are allowed'],
    [{ links: [{ label: "Bad", url: "javascript:alert(1)" }] }, 'element 1: "url" must be a URL that begins with https:, http: or mailto:'],
    [{ links: [{ label: "Bad" }] }, 'element 1: "url" must be a URL'],
    [{ links: [{ url: "https://a:b@example.com" }] }, 'element 1: "url" must not have a password'],
    [{ attachments: [{ label: "Both", text: "a", log: "b" }] }, 'element 1: needs either "text" or "log"'],
    [{ attachments: [{ label: "None" }] }, 'element 1: needs either "text" or "log"'],
    [{ attachments: [{ text: "x" }] }, 'element 1: "label" is missing'],
    [
      { attachments: [{ label: "Long", text: "x".repeat(100_001) }] },
      'Parameter "attachments" has 100001 characters of text; at most 100000 are allowed',
    ],
  ])("%j is refused with what would be right", (params, message) => {
    expect(read(params)).toContain(message);
  });

  test("never breaks on any JSON", () => {
    const noise = fc.dictionary(fc.constantFrom("title", "fields", "links", "attachments"), fc.jsonValue());
    fc.assert(fc.property(noise, (params) => ["string", "object"].includes(typeof read(params))));
  });
});

describe("what people fill in", () => {
  const form = read({
    fields: [
      { name: "version", required: true },
      { name: "count", type: "number", default: 2 },
      { name: "region", type: "multiselect", options: ["eu", "us"] },
    ],
  });
  const { fields } = form as Exclude<typeof form, string>;

  test("becomes a result each, with the default where nothing was entered", () => {
    expect(readFieldValues(fields, { version: "1.4", region: ["eu"] }, true)).toEqual({
      values: { version: "1.4", count: 2, region: ["eu"] },
      faults: [],
    });
    expect(readFieldValues(fields, { version: "1.4", count: "", region: null }, true).values).toEqual({
      version: "1.4",
      count: 2,
      region: "",
    });
  });

  test("names the field that is wrong", () => {
    const { faults } = readFieldValues(fields, { count: "many", region: ["mars"], versoin: "1" }, true);
    expect(faults).toEqual([
      { name: "version", message: 'field "version" is required' },
      { name: "count", message: 'field "count" must be a number, but is "many"' },
      { name: "region", message: 'field "region" must be a list of any of eu, us, but is ["mars"]' },
      { name: "versoin", message: 'there is no field "versoin"; the fields are version, count, region' },
    ]);
  });

  test("is not asked for by a rejection, but is kept", () => {
    expect(readFieldValues(fields, { region: ["us"] }, false)).toEqual({ values: { version: "", count: "", region: ["us"] }, faults: [] });
    expect(readFieldValues(fields, { count: "x" }, false).faults).toHaveLength(1);
  });

  test("is bounded", () => {
    expect(readFieldValues(fields, { version: "x".repeat(100_001) }, true).faults).toEqual([
      { name: "version", message: "the values have more than 100000 characters in total" },
    ]);
  });

  test("of an action without fields is refused", () => {
    expect(readFieldValues([], { a: 1 }, true).faults).toEqual([
      { name: "a", message: 'there is no field "a"; this action has no fields' },
    ]);
    expect(readFieldValues([], {}, true)).toEqual({ values: {}, faults: [] });
  });
});
