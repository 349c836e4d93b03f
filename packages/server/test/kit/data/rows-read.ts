import type { Database } from "../../../src/store/database/database.ts";

export interface SentStatement {
  text: string;
  parameters: readonly unknown[];
}

interface PlanNode {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
}

/**
 * The number of table rows and index entries that these statements read, as the database counts them when it runs the statements again: a
 * measure of work that is the same on a busy machine.
 */
export async function rowsRead(sql: Database, statements: readonly SentStatement[]): Promise<number> {
  let rows = 0;
  for (const { text, parameters } of statements.filter(({ text }) => /^\s*(?:select|with)\b/i.test(text))) {
    const [row] = await sql.unsafe(`explain (analyze, format json) ${text}`, parameters as never[]);
    const [{ Plan }] = row!["QUERY PLAN"] as [{ Plan: PlanNode }];
    rows += scanned(Plan);
  }
  return Math.round(rows);
}

function scanned(node: PlanNode): number {
  const own = /^(?:Seq|Index|Index Only|Bitmap Index|Bitmap Heap) Scan$/.test(node["Node Type"])
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) * node["Actual Loops"]
    : 0;
  return own + (node.Plans ?? []).reduce((sum, one) => sum + scanned(one), 0);
}
