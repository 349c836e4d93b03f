import { insertAudit } from "../store/audit/audit.ts";
import type { Queryable, Transaction } from "../store/database/database.ts";
import { isTransaction, transaction } from "../store/database/transaction.ts";
import type { Context } from "./endpoint.ts";

/**
 * For a handler that got the pool (`when-needed`) and needs a transaction after all: the work gets the context with its handle. Audit
 * records of the work are written in that transaction, and effects after the commit only happen for the try that was committed. If there is
 * a transaction already, the work just joins it.
 */
export async function inTransaction<P, Q, B, Result>(
  context: Context<P, Q, B, Queryable>,
  work: (context: Context<P, Q, B, Transaction>) => Promise<Result>,
): Promise<Result> {
  const { db: pool } = context;
  if (isTransaction(pool)) return work({ ...context, db: pool });
  let effects: (() => void)[] = [];
  const result = await transaction(pool, async (db) => {
    effects = [];
    const records: ReturnType<typeof context.auditRecord>[] = [];
    const audit: typeof context.audit = (object) => void records.push(context.auditRecord(object));
    const afterCommit = (effect: () => void) => void effects.push(effect);
    const done = await work({ ...context, db, audit, afterCommit });
    for (const record of records) await insertAudit(db, record);
    return done;
  });
  for (const effect of effects) context.afterCommit(effect);
  return result;
}
