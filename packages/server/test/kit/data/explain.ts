import { type CompiledStatement, Query } from "@millrace/postgres/query.ts";
import type { Database } from "../../../src/store/database/database.ts";

/**
 * The plans of the statements that `work` sends with the handle that it gets, in order, as PostgreSQL explains them: to show that an index
 * is used. The driver stores on each query what it has sent.
 */
export async function plansOf(sql: Database, work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const queries: { compiled: CompiledStatement }[] = [];
  const recorder = new Proxy(sql, {
    apply(target, self, parts) {
      const made: unknown = Reflect.apply(target, self, parts);
      if (made instanceof Query) queries.push(made);
      return made;
    },
  });
  await work(recorder);
  const plans: string[] = [];
  // Parts of statements are never sent by themselves.
  for (const { text, values } of queries.map(({ compiled }) => compiled).filter((sent) => sent.text !== "")) {
    const rows = await sql.unsafe(`explain ${text}`, values as never[]);
    plans.push(rows.map((row) => row["QUERY PLAN"] as string).join("\n"));
  }
  return plans;
}
