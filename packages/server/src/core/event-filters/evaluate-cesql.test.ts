import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { functionNames } from "./cesql-functions.ts";
import { CesqlFault } from "./cesql-tokens.ts";
import type { CesqlValue } from "./cesql-values.ts";
import { evaluateCesql } from "./evaluate-cesql.ts";
import { parseCesql } from "./parse-cesql.ts";

const event = {
  specversion: "1.0",
  id: "myId",
  source: "https://example.com/shop",
  type: "order.placed",
  hop: "5",
  ttl: "10",
  myint: 10,
  mybool: true,
  large: 4_294_967_296,
  fraction: 1.5,
  myext: "abc123123%456_dzf",
  long: "a".repeat(5000),
  data: "secret",
  object: { a: 1 },
};
const evaluate = (expression: string) => evaluateCesql(parseCesql(expression), event);

/** undefined stands for an error, whatever value the specification returns with it. */
describe.each<[string, [string, CesqlValue | undefined][]]>([
  [
    "a literal",
    [
      ["TRUE", true],
      ["false", false],
      ["0", 0],
      ["-2147483648", -2_147_483_648],
      ["+7", 7],
      ["'aBc'", "aBc"],
      [`"AbC"`, "AbC"],
      [`'a"b\\'c'`, `a"b'c`],
      [`"a'b\\"c"`, `a'b"c`],
      ["'a\\b'", "a\\b"],
    ],
  ],
  [
    "an attribute",
    [
      ["id", "myId"],
      ["ID", "myId"],
      ["myint", 10],
      ["mybool", true],
      ["large", "4294967296"],
      ["fraction", "1.5"],
      ["missing", undefined],
      ["data", undefined],
      ["object", undefined],
      ["constructor", undefined],
      ["long", undefined],
      ["EXISTS id", true],
      ["EXISTS missing", false],
      ["EXISTS data", false],
      ["EXISTS toString", false],
      ["NOT EXISTS missing", true],
    ],
  ],
  [
    "arithmetic",
    [
      ["4 * 2 + 4 / 2", 10],
      ["4 * (2 + 4) / 2", 12],
      ["5 / 3", 1],
      ["-5 / 3", -1],
      ["-5 % 3", -2],
      ["5 / 0", undefined],
      ["5 % 0", undefined],
      ["missing / 0", undefined],
      ["4 -1", 3],
      ["4 + -1", 3],
      ["-4 - 1", -5],
      ["10 - 4 - 3", 3],
      ["'5' + 3", 8],
      ["5 + TRUE", 6],
      ["5 + 'a'", undefined],
      ["2147483647 + 1", undefined],
      ["--'10'", 10],
      ["-TRUE", -1],
      ["-(-2147483648)", undefined],
    ],
  ],
  [
    "a comparison",
    [
      ["TRUE = FALSE", false],
      ["2 = 2", true],
      ["'abc' = 'ABC'", false],
      ["hop = 5", true],
      ["5 = hop", true],
      ["true = 'TRUE'", false],
      ["'TRUE' = true", true],
      ["id = 5", undefined],
      ["1 != 2", true],
      ["'a' <> 'a'", false],
      ["missing != 2", undefined],
      ["2 <= 2", true],
      ["3 <= 2", false],
      ["2 > 1", true],
      ["2 >= 3", false],
      ["hop < ttl", true],
      ["id < 3", undefined],
      ["int(hop) < int(ttl) and int(hop) < 1000", true],
    ],
  ],
  [
    "logic",
    [
      ["TRUE AND FALSE", false],
      ["TRUE XOR TRUE", false],
      ["TRUE XOR FALSE", true],
      ["false and (1 != 1 / 0)", false],
      ["true and (1 != 1 / 0)", undefined],
      ["true or (1 != 1 / 0)", true],
      ["false or (1 != 1 / 0)", undefined],
      ["false XOR missing", undefined],
      ["NOT TRUE", false],
      ["NOT 'FALSE'", true],
      ["NOT id", undefined],
      ["TRUE OR FALSE AND FALSE", true],
      ["TRUE XOR TRUE OR TRUE", false],
      ["(TRUE XOR TRUE) OR TRUE", true],
      ["NOT FALSE AND FALSE", false],
      ["missing = '' AND TRUE", undefined],
      ["EXISTS missing AND missing = 'a'", false],
    ],
  ],
  [
    "LIKE",
    [
      ["'abc' LIKE 'abc'", true],
      ["'ab\\c' LIKE 'ab\\c'", true],
      ["'abc' NOT LIKE 'abc'", false],
      ["'azzzbzzzc' LIKE 'a%b%c'", true],
      ["'ac' LIKE 'abc'", false],
      ["'' LIKE 'abc'", false],
      ["'' LIKE '%'", true],
      ["'.ab.cde.' LIKE '.%.%.'", true],
      ["'ab.cde' LIKE '.%.%.'", false],
      ["'azbzc' LIKE 'a_b_c'", true],
      ["'abc' LIKE 'a_b_c'", false],
      ["'a_b_c' LIKE 'a\\_b\\_c'", true],
      ["'azbzc' LIKE 'a\\_b\\_c'", false],
      ["'a%b' LIKE 'a\\%b'", true],
      ["myext LIKE 'abc%123\\%456\\_d_f'", true],
      ["'😀' LIKE '_'", true],
      ["2344 LIKE '23%'", true],
      ["FALSE LIKE 'fal%'", true],
      ["missing LIKE '%'", undefined],
      ["source like 'https://%' AND type like '%.placed'", true],
    ],
  ],
  [
    "IN",
    [
      ["'a' IN ('b', 'a')", true],
      ["'a' NOT IN ('b', 'a')", false],
      ["hop IN (4, 5)", true],
      ["5 IN ('4', '5')", true],
      ["5 IN ('a', 5)", undefined],
      ["type IN (CONCAT('order', '.', 'placed'))", true],
      ["missing IN ('a')", undefined],
    ],
  ],
  [
    "a function",
    [
      ["LENGTH('abc')", 3],
      ["length('😀')", 1],
      ["LENGTH(TRUE)", 4],
      ["CONCAT()", ""],
      ["CONCAT('a', 1, TRUE)", "a1true"],
      ["CONCAT_WS(',', 'a', 'b')", "a,b"],
      ["CONCAT_WS(',')", ""],
      ["LOWER('AbC')", "abc"],
      ["UPPER('AbC')", "ABC"],
      ["TRIM('  a b  ')", "a b"],
      ["LEFT('abc', 2)", "ab"],
      ["LEFT('abc', 10)", "abc"],
      ["LEFT('abc', -2)", undefined],
      ["RIGHT('abc', 2)", "bc"],
      ["RIGHT('abc', 0)", ""],
      ["RIGHT('abc', -2)", undefined],
      ["SUBSTRING('Quadratically', 5)", "ratically"],
      ["SUBSTRING('Sakila', -3)", "ila"],
      ["SUBSTRING('Sakila', -5, 3)", "aki"],
      ["SUBSTRING('abcdef', 2, 4)", "bcde"],
      ["SUBSTRING('abcdef', 0, 1)", ""],
      ["SUBSTRING('abcdef', 10)", undefined],
      ["SUBSTRING('abcdef', 1, -1)", undefined],
      ["ABS(-10)", 10],
      ["ABS(-2147483648)", undefined],
      ["INT('-1')", -1],
      ["INT(TRUE)", 1],
      ["INT('ABC')", undefined],
      ["BOOL('TRUE')", true],
      ["BOOL(-50)", true],
      ["BOOL('ABC')", undefined],
      ["STRING(-1)", "-1"],
      ["IS_INT('12')", true],
      ["IS_INT('1.5')", false],
      ["IS_BOOL('false')", true],
      ["IS_BOOL('no')", false],
      ["CONCAT(LEFT(id, 4), CONCAT('a', 'b'))", "myIdab"],
    ],
  ],
])("%s", (_, cases) => {
  test.each(cases)("%s", (expression, value) => expect(evaluate(expression)).toBe(value));
});

const words = [
  ...functionNames,
  ..."AND OR XOR NOT LIKE EXISTS IN TRUE id type missing hop myint 1 0 -3 2147483647 'a%' \"b\" '\\' ( ( ) ) , + - * / % = != <> < >=".split(
    " ",
  ),
];

test("any text gives a fault or a value", () => {
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((list) => list.join(" ")),
    fc.string({ unit: "grapheme", maxLength: 60 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(["undefined", "string", "number", "boolean"]).toContain(typeof evaluate(text));
      } catch (error) {
        expect(error).toBeInstanceOf(CesqlFault);
        expect((error as Error).message).toMatch(/^at character \d+: /);
      }
    }),
    { numRuns: 2000 },
  );
});

test("no expression of the allowed length takes long, on whatever event", () => {
  const text = "a".repeat(4096);
  const worst = [
    `x LIKE '%${"a".repeat(1900)}b'`,
    `x LIKE '${"%a".repeat(950)}b'`,
    `x LIKE '${"%_".repeat(950)}b'`,
    Array(120).fill("x LIKE '%b'").join(" OR "),
    `${"(".repeat(30)}TRUE${")".repeat(30)}`,
    Array(250).fill("FALSE").join(" OR "),
    Array(240).fill("1").join("+"),
    `CONCAT(${Array(200).fill("x").join(",")}) = 'a'`,
    "CONCAT(CONCAT(x, x), CONCAT(x, x)) LIKE '%b'",
  ];
  const expectWithin = startWork();
  for (const expression of worst) evaluateCesql(parseCesql(expression), { x: text });
  expectWithin(3000);
});
