/** A value of CloudEvents SQL: text, a whole number of 32 bits, or true and false. */
export type CesqlValue = string | number | boolean;
export type CesqlType = "string" | "integer" | "boolean";

export type Comparison = "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=";
export type Arithmetic = "*" | "/" | "%" | "+" | "-";
export type Logic = "AND" | "OR" | "XOR";

/** A parsed expression. */
export type CesqlTree =
  | { kind: "literal"; value: CesqlValue }
  | { kind: "attribute"; name: string }
  | { kind: "exists"; name: string }
  | { kind: "not"; operand: CesqlTree }
  | { kind: "minus"; operand: CesqlTree }
  | { kind: "logic"; operator: Logic; left: CesqlTree; right: CesqlTree }
  | { kind: "comparison"; operator: Comparison; left: CesqlTree; right: CesqlTree }
  | { kind: "arithmetic"; operator: Arithmetic; left: CesqlTree; right: CesqlTree }
  | { kind: "like"; isNegated: boolean; left: CesqlTree; pattern: string }
  | { kind: "in"; isNegated: boolean; left: CesqlTree; set: CesqlTree[] }
  | { kind: "call"; name: string; given: CesqlTree[] };
