/** Writes the types of the API, src/api/schema.generated.ts, when they are missing or old. */
export function ensureClient(): Promise<void>;
