import { type ChainPlace, chainStart, checkDecisions, checkEnd, type DecisionProblem } from "../../core/action/decision-chain.ts";
import { type Chain, listDecisionsAfter, readChain } from "../../store/action/decisions.ts";
import type { Queryable } from "../../store/database/database.ts";

/** The result of checking the chain of a team. */
export interface VerifiedChain extends Chain {
  /** Records that were checked. */
  checked: number;
  problems: DecisionProblem[];
  /** There are more records to check. */
  isCut: boolean;
}

const rowsAtOnce = 500;
const maxProblems = 100;

/**
 * Checks the chain of a team's decisions, from the anchor to its end.
 * @param noted a record that was noted outside of the database: with write access to the database, one could create a new chain
 */
export async function verifyDecisions(db: Queryable, teamId: string, noted?: ChainPlace): Promise<VerifiedChain> {
  const chain: Chain = (await readChain(db, teamId)) ?? { head: chainStart, anchor: { ...chainStart, at: null } };
  const problems: DecisionProblem[] = [];
  let last: ChainPlace = chain.anchor;
  let checked = 0;
  let found: ChainPlace | undefined = isAt(chain.anchor, noted);
  while (problems.length <= maxProblems) {
    const rows = await listDecisionsAfter(db, teamId, last.number, rowsAtOnce);
    const some = checkDecisions(last, teamId, rows);
    problems.push(...some.problems);
    found ??= rows.find((row) => isAt(row, noted));
    checked += rows.length;
    last = some.last;
    if (rows.length < rowsAtOnce) break;
  }
  if (problems.length <= maxProblems) problems.push(...checkEnd(last, chain.head), ...checkNoted(chain, noted, found));
  return { ...chain, checked, problems: problems.slice(0, maxProblems), isCut: problems.length > maxProblems };
}

function isAt(place: ChainPlace, noted: ChainPlace | undefined): ChainPlace | undefined {
  return place.number === noted?.number ? place : undefined;
}

function checkNoted({ anchor }: Chain, noted: ChainPlace | undefined, found: ChainPlace | undefined): DecisionProblem[] {
  if (noted === undefined || found?.hash === noted.hash.toLowerCase()) return [];
  const { number } = noted;
  if (number < anchor.number) return [{ number, actionId: null, message: `Record ${number} was removed with history; note a newer one` }];
  return [
    {
      number,
      actionId: null,
      message: found ? `Record ${number} has a different hash than the noted one` : `There is no record ${number}`,
    },
  ];
}
