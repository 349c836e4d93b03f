import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiDocument } from "../../../src/http/document/openapi.ts";

/** The schemas of the API document, as any client's tools read them: by a validator that is not the one of the service. */
export interface DocumentSchemas {
  schemas: Record<string, { examples?: unknown[] }>;
  /** What is wrong with a value of that named schema; empty when nothing is. */
  faults(name: string, value: unknown): string[];
  /** The same for any schema of the document, given by its JSON pointer: `/paths/~1health/get/…/schema`. */
  faultsAt(pointer: string, value: unknown): string[];
}

export function documentSchemas(document: ApiDocument): DocumentSchemas {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  function faultsAt(pointer: string, value: unknown): string[] {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
    compiled.set(pointer, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
  return {
    schemas: document.components["schemas"] as Record<string, { examples?: unknown[] }>,
    faults: (name, value) => faultsAt(`/components/schemas/${name}`, value),
    faultsAt,
  };
}
