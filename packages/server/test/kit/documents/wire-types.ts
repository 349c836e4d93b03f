/** Whether a member of the API document has the type that the published interface gives it, in the terms of its tables. */
export function isAsNamed(schema: MemberSchema | undefined, type: string): boolean {
  if (schema === undefined) return false;
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => isAsNamed(one, type));
  if (type === "SortObject[]") return isAsNamed(schema, "SortObject");
  if (type.endsWith("[]")) return has(schema, "array") && (schema.items?.$ref === undefined || nameOf(schema.items) === type.slice(0, -2));
  return (simple[type] ?? isReference)(schema, type);
}

export interface MemberSchema {
  type?: string | string[];
  $ref?: string;
  anyOf?: MemberSchema[];
  items?: MemberSchema;
  enum?: unknown[];
}

const has = ({ type, enum: values }: MemberSchema, wanted: string) =>
  type === undefined ? values?.every((value) => typeof value === wanted) === true : [type].flat().includes(wanted);
const nameOf = ({ $ref }: MemberSchema) => $ref?.split("/").at(-1);
/** An object may also be defined inline. */
const isReference = (schema: MemberSchema, type: string) => nameOf(schema) === type || has(schema, "object");

const simple: Record<string, (schema: MemberSchema) => boolean> = {
  String: (schema) => has(schema, "string"),
  Integer: (schema) => has(schema, "integer"),
  Long: (schema) => has(schema, "integer"),
  Boolean: (schema) => has(schema, "boolean"),
  Date: (schema) => has(schema, "string"),
  BigDecimal: (schema) => has(schema, "number"),
  List: (schema) => has(schema, "array"),
  Map: (schema) => has(schema, "object") || schema.$ref !== undefined,
  Spec_timeout: (schema) => has(schema, "string"),
  /** An object of three booleans, and never the list of orders that was once documented. */
  SortObject: (schema) => nameOf(schema) === "PageSort",
  /** Anything at all. */
  Object: () => true,
};
