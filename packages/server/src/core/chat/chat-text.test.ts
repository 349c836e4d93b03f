import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipChatText, escapeChatText } from "./chat-text.ts";
import { buildRunDialog, dialogErrors, readDialog } from "./run-dialog.ts";

test("escaped text means nothing to the platform, keeps its limit and is never cut within an escape", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("<", ">", "&", "a", "!", "😀") }), fc.integer({ min: 2, max: 60 }), (text, max) => {
      const escaped = escapeChatText(text, max);
      expect(escaped.length).toBeLessThanOrEqual(max);
      expect(escaped).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      const back = escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
      expect(text.startsWith(back.replace(/…$/, ""))).toBe(true);
    }),
  );
});

test("clipped text keeps its limit and is whole in its characters", () => {
  expect(clipChatText("abc", 3)).toBe("abc");
  expect(clipChatText("abcd", 3)).toBe("ab…");
  expect(clipChatText("a😀😀", 3)).toBe("a…");
});

describe("a dialog", () => {
  const params = [
    { name: "a", type: "select", options: Array.from({ length: 101 }, (_, index) => ({ key: `k${index}`, value: "v" })) },
    { name: "b", type: "select", options: [{ key: "x".repeat(151), value: "long" }] },
    { name: "c", type: "number", default: "$(params.x)" },
    { name: "d", default: "x".repeat(4000) },
    { name: "e".repeat(250), label: "l".repeat(3000) },
  ];

  test("with more than the platform can show takes it as text", () => {
    const { blocks } = buildRunDialog({ id: "1", displayName: "<b>", teamName: "t", params }) as unknown as {
      blocks: { type: string; element: Record<string, unknown> }[];
    };
    const elements = blocks.filter((block) => block.type === "input").map((block) => block.element);
    expect(elements.map(({ type }) => type)).toEqual([
      "plain_text_input",
      "plain_text_input",
      "number_input",
      "plain_text_input",
      "plain_text_input",
    ]);
    expect(elements.some((element) => "initial_value" in element)).toBe(false);
  });

  test("that is submitted gives only declared values, whatever it contains", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (values) => {
        const names = readDialog(values, params).map(({ name }) => name);
        expect(names.every((name) => params.some((param) => param.name === name))).toBe(true);
      }),
    );
    expect(readDialog({ s: { value: { value: "mine" } } }, [{ name: "s", type: "password" }])).toEqual([]);
  });

  test("shows a fault only where it has an input for it", () => {
    const given = [{ name: "a", value: 1 }];
    expect(dialogErrors([{ path: "/params/0/value", message: "wrong" }], given, ["a"])).toEqual({ a: "wrong" });
    expect(dialogErrors([{ path: "/params", message: 'parameter "b" is required' }], given, ["a", "b"])).toEqual({
      b: 'parameter "b" is required',
    });
    expect(dialogErrors([{ path: "/params", message: 'parameter "c" is required' }], given, ["a"])).toBeUndefined();
    expect(dialogErrors([], given, ["a"])).toBeUndefined();
  });
});
