import type { Database } from "../../src/store/database/database.ts";

interface Executed {
  string?: string;
  parameters: unknown[];
}

/**
 * The plans of the statements that `work` sends with the handle that it gets, in order, as PostgreSQL explains them: to show that an
 * index is used. The driver keeps on each query what it has sent.
 */
export async function plansOf(sql: Database, work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const queries: Executed[] = [];
  const recorder = new Proxy(sql, {
    apply(target, self, parts) {
      const query = Reflect.apply(target, self, parts) as Executed;
      queries.push(query);
      return query;
    },
  });
  await work(recorder);
  const plans: string[] = [];
  for (const { string, parameters } of queries.filter((query) => query.string !== undefined)) {
    const rows = await sql.unsafe(`explain ${string}`, parameters as never[]);
    plans.push(rows.map((row) => row["QUERY PLAN"] as string).join("\n"));
  }
  return plans;
}
