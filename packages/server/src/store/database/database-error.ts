/**
 * Is the database unreachable, full or overloaded, so that the same statement may succeed later? Any other error is caused by what was
 * written (too large, too deep, a bug of ours), would be repeated endlessly, and must not block the engine's other runs.
 *
 * SQLSTATE classes (PostgreSQL, appendix A): 08 connection, 25 transaction state (a read-only standby), 28 and 3D credentials and database,
 * 40 rollback, 53 resources, 55 locks, 57 shutdown and timeouts, 58 and XX the server itself. Class 54 is not included: the data has
 * exceeded a limit of the program. The driver and Node have error names of their own, such as `CONNECT_TIMEOUT` and `ECONNREFUSED`; Node's
 * `ERR_…` means a wrong call of ours.
 */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === "string" && outageCodes.test(code);
}

/** Was the statement cancelled, most likely because it took too long? This is the only outage that the data itself may cause. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/** The server refused the statement, because a row with this key exists already. @param constraint only this one */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== "23505") return false;
  return constraint === undefined || (error as { constraint_name?: unknown }).constraint_name === constraint;
}

/** The pool was closed while something waited for it: this process is ending. */
export function isPoolClosed(error: unknown): boolean {
  return codeOf(error) === "CONNECTION_ENDED";
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === "53100";
}

/** SQLSTATE of an error that the server itself sent; undefined for any other error, which may have a code of the driver or of Node. */
export function sqlState(error: unknown): string | undefined {
  // Errors of a pooler itself have the severity only in the field that may be translated.
  const { code, severity, severity_local } = (error ?? {}) as { code?: unknown; severity?: unknown; severity_local?: unknown };
  return typeof code === "string" && typeof (severity ?? severity_local) === "string" ? code : undefined;
}

/** SQLSTATE, or the code of the driver or of Node. */
function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

const outageCodes = /^(?:(?:08|25|28|3D|40|53|55|57|58|XX)[0-9A-Z]{3}|CONNECT[A-Z_]*|E(?!RR_)[A-Z0-9_]+)$/;
