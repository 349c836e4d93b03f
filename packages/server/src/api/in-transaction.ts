import { insertAudit } from "../store/audit/audit.ts";
import type { Database, Transaction } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";
import type { Context } from "./endpoint.ts";

type AnyContext = Context<unknown, unknown, unknown, Transaction>;

/**
 * For a handler that is given the pool (`opensTransaction`) and needs a transaction after all: the work gets the context with its
 * handle. What it names for the audit is written in it, and what is to be done after the commit is done only for the try that was
 * committed.
 */
export async function inTransaction<Kind extends AnyContext, Result>(
  context: Kind,
  work: (context: Kind) => Promise<Result>,
): Promise<Result> {
  if (context.isInTransaction) return work(context);
  let effects: (() => void)[] = [];
  const result = await transaction(context.db as unknown as Database, async (db) => {
    effects = [];
    const records: ReturnType<Kind["auditRecord"]>[] = [];
    const audit: Kind["audit"] = (object) => void records.push(context.auditRecord(object) as ReturnType<Kind["auditRecord"]>);
    const afterCommit = (effect: () => void) => void effects.push(effect);
    const done = await work({ ...context, db, audit, afterCommit, isInTransaction: true });
    for (const record of records) await insertAudit(db, record);
    return done;
  });
  for (const effect of effects) context.afterCommit(effect);
  return result;
}
