/** An error reported by the server; the fields are those of its protocol ("Error and Notice Message Fields"). */
export class DatabaseError extends Error {
  /** SQLSTATE (PostgreSQL, appendix A). */
  declare readonly code: string;
  declare readonly severity?: string;
  /** Severity in the server's language. A pooler's own errors only have this one. */
  declare readonly severity_local?: string;
  declare readonly detail?: string;
  declare readonly constraint_name?: string;
  declare readonly routine?: string;

  constructor({ message, ...fields }: Readonly<Record<string, string>>) {
    super(message);
    this.name = "DatabaseError";
    Object.assign(this, fields);
  }
}

const fieldNames: Readonly<Record<string, string>> = {
  S: "severity_local",
  V: "severity",
  C: "code",
  M: "message",
  D: "detail",
  H: "hint",
  P: "position",
  W: "where",
  s: "schema_name",
  t: "table_name",
  c: "column_name",
  n: "constraint_name",
  R: "routine",
};

/** Reads an ErrorResponse: a sequence of fields, each a letter and a zero-terminated text. */
export function readDatabaseError(bytes: Buffer, start: number, end: number): DatabaseError {
  const fields: Record<string, string> = {};
  for (let at = start; at < end && bytes[at] !== 0; ) {
    const stop = bytes.indexOf(0, at);
    const name = fieldNames[String.fromCharCode(bytes[at] as number)];
    if (name !== undefined) fields[name] = bytes.toString("utf8", at + 1, stop);
    at = stop + 1;
  }
  return new DatabaseError(fields);
}

/** An error of the driver itself: `code` is an upper-case word, as in Node's own errors. */
export function driverError(code: string, message: string, more: object = {}): Error & { code: string } {
  return Object.assign(new Error(message), { code, ...more });
}
