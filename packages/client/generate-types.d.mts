/** Writes the types of the API, src/schema.generated.ts, when they are missing or old. */
export function ensureTypes(): Promise<void>;
