import { expect } from "vitest";
import { chainDecision, type Decision, digestOf } from "../../src/core/action/decision-chain.ts";
import { verifyDecisions } from "../../src/domain/action/verify-decisions.ts";
import { addDecisions, lockChain } from "../../src/store/action/decisions.ts";
import type { Database } from "../../src/store/database/database.ts";
import { transaction } from "../../src/store/database/transaction.ts";

/** Records of decisions of a new team, whose actions have been deleted. @returns the team */
export async function makeDecidedTeam(sql: Database, name: string, count: number): Promise<string> {
  const [team] = await sql<{ id: string }[]>`insert into team (name, display_name) values (${name}, ${name}) returning id`;
  const teamId = team!.id;
  for (let index = 0; index < count; index++) {
    await transaction(sql, async (tx) => {
      const decision = decisionOf(teamId, index);
      const next = chainDecision(await lockChain(tx, teamId), teamId, decision);
      await addDecisions(tx, teamId, [{ ...next, action: decision.action, at: decision.at }]);
    });
  }
  return teamId;
}

function decisionOf(id: string, index: number): Decision {
  const at = `2026-03-01T12:00:0${index % 10}.123Z`;
  const digest = digestOf(index);
  return {
    ...{ action: id, type: "approval", decision: "approved", at, run: id, task: "ask", approverGroup: { id, name: "Leiter·ünïts" } },
    ...{ workflow: { id, name: "release", version: 1 }, escalatedTo: null, approvalsRequired: 1, inputs: digest, images: [] },
    votes: [{ principal: `user:${id}`, name: 'Ada "\\u2028"', approved: true, at, digest }],
  };
}

/** Expects all decisions of the team to verify exactly as written: their hashes cover the texts. */
export async function expectWholeChain(sql: Database, teamId: string, count: number): Promise<void> {
  const { checked, problems, head } = await verifyDecisions(sql, teamId);
  expect({ checked, problems, head }).toEqual({ checked: count, problems: [], head: { number: count, hash: expect.any(String) } });
}
