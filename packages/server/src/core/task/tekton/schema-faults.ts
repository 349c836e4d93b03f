import { namedSchemas } from "@millrace/contract/schema.ts";
import type { TProperties, TSchema } from "typebox";
import { Errors } from "typebox/value";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { fitsSchema } from "../../document/validator.ts";

/** How a document violates its schema, in words for people who write YAML. Paths are JSON pointers. */
export function findSchemaFaults(schema: TSchema, value: unknown): ErrorDetail[] {
  if (fitsSchema(schema, value)) return [];
  const errors = Errors(Object.fromEntries(namedSchemas()) as TProperties, schema, value) as SchemaError[];
  return errors
    .filter(({ schemaPath }) => !/\/anyOf\/\d/.test(schemaPath))
    .flatMap(describe)
    .slice(0, 20);
}

interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: Record<string, unknown>;
  message: string;
}

function describe({ keyword, instancePath: path, params, message }: SchemaError): ErrorDetail[] {
  switch (keyword) {
    case "required":
      return (params["requiredProperties"] as string[]).map((name) => ({ path: `${path}/${name}`, message: "is missing" }));
    case "type":
      return [{ path, message: `must be ${kindOf(params["type"])}` }];
    case "enum":
      return [{ path, message: `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}` }];
    case "anyOf":
      return [{ path, message: path.endsWith("/default") ? "must be a text, a list of texts or a map of texts" : "has the wrong type" }];
    case "minLength":
      return [{ path, message: "must not be empty" }];
    default:
      return [{ path, message }];
  }
}

/**
 * Where null is also accepted, it removes a member; it is never written by mistake in place of a value, so messages need not mention it.
 */
function kindOf(type: unknown): string {
  const kinds = [type].flat().filter((one) => one !== "null");
  return kinds.map((one) => kindWords[String(one)] ?? String(one)).join(" or ");
}

const kindWords: Record<string, string> = {
  string: "a text",
  array: "a list",
  object: "a map",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};
