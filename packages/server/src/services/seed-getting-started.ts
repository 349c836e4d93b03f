import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { repositoryRoot } from "../base/file/repository-root.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import { createTeam, type NewTeam } from "../domain/team/teams.ts";
import { createWorkflow } from "../domain/workflow/create-workflow.ts";
import { loadSaveContext } from "../domain/workflow/save-context.ts";
import type { Database } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";
import { markSeeded } from "../store/settings/instance.ts";

const team: NewTeam = {
  name: "getting-started",
  displayName: "Getting started",
  labels: {},
  parameters: [],
  retention: {},
  quotas: {},
  members: [],
  approverGroups: [],
};

/** In the order in which a new user sees them; the first one is run at the first start. */
const samples = ["hello-chain", "word-count", "release-approval"] as const;

export interface GettingStarted {
  team: { id: string; name: string };
  /** Names of its workflows. */
  workflows: readonly string[];
}

export interface SeedOptions {
  /** False: nothing is created, now or at a later start, because the instance is no longer new. */
  isWanted: boolean;
  keyring: Keyring;
}

/**
 * Creates the team `getting-started` with the sample workflows at the first start of an instance. Only then: a deleted team does not come
 * back, and if several processes start together, one of them creates it. The global tasks must exist.
 *
 * @returns what was created; undefined if nothing was
 */
export async function seedGettingStarted(sql: Database, { isWanted, keyring }: SeedOptions): Promise<GettingStarted | undefined> {
  return transaction(sql, async (tx) => {
    const isFirst = await markSeeded(tx);
    if (!isFirst || !isWanted) return undefined;
    const made = await createTeam(tx, team, keyring, { checkInvited: () => undefined });
    const context = await loadSaveContext(tx, made.id, "Millrace", keyring, { allowsHostNetwork: false, allowsPrivileged: false });
    for (const name of samples) await createWorkflow(tx, context, readSample(name));
    return { team: made, workflows: samples };
  });
}

function readSample(name: string): WorkflowInput {
  return JSON.parse(readFileSync(join(repositoryRoot, "packages/server/samples/getting-started", `${name}.json`), "utf8")) as WorkflowInput;
}
