import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { EnvelopeError } from "../../base/secret/envelope.ts";
import { createMasker, type Masker } from "../../base/secret/mask.ts";
import { typedParams } from "../../core/external/external-values.ts";
import { asksForCodehostToken } from "../../core/inbound/codehost-token.ts";
import { declaredValues, nodeSecretTexts } from "../../core/parameter/secret-params.ts";
import { resolveNodeParams, UnresolvedReference } from "../../core/run/resolve-node.ts";
import type { Layers } from "../../core/run/run-state.ts";
import { attemptTraceparent } from "../../core/run/run-trace.ts";
import { externalNeed } from "../../core/task/external-task.ts";
import { placeTask } from "../../core/task/place-task.ts";
import { nodeAt, type Plan } from "../../core/workflow/plan.ts";
import type { Database } from "../../store/database/database.ts";
import { type JobRun, listJobRuns, listNodeValues, type NodeValues } from "../../store/run/job-inputs.ts";
import type { Claim } from "../../store/worker/workers.ts";
import { type AttemptInputs, attemptItem, attemptScope, declaredResults, nodesToRead, rememberedValues } from "../run/attempt-scope.ts";
import type { RunContext } from "../run/run-context.ts";
import type { RunSecrets } from "../run/run-layers.ts";
import { openRunSecrets, secretTexts } from "../run/run-secrets.ts";

/**
 * Turns claimed attempts into what an external worker gets; this is where secrets are decrypted for it. The parameters are resolved once
 * more, with the secrets in clear, as for an executor (engine/prepare-jobs.ts).
 *
 * The steps of a chain follow each other in milliseconds, so what this process remembers of a run is used if it is sufficient: its state,
 * if that knows the claim, and the envelope of its secrets, which never changes. Otherwise both are read, for all such claims at once.
 */

export interface ExternalJob {
  claim: Claim;
  /** Name of the task. */
  task: string;
  /** Name of the node in its workflow. */
  name: string;
  params: Record<string, unknown>;
  /** Masks all secrets that it got. */
  masker: Masker;
  results: { name: string; type?: string }[];
  /** The parent of the worker's own spans; undefined if there is no trace. */
  traceparent: string | undefined;
}

export interface ExternalRefusal {
  claim: Claim;
  status: "failed" | "invalid";
  reason: string;
  message: string;
}

export type PreparedExternal = { job: ExternalJob; refusal?: undefined } | { job?: undefined; refusal: ExternalRefusal };

/** Envelopes of the secrets of runs whose external tasks were claimed here lately; empty if the run has none. */
export type RecentEnvelopes = Pick<BoundedCache<Uint8Array>, "get" | "set">;

export function createRecentEnvelopes(): RecentEnvelopes {
  return new BoundedCache<Uint8Array>("external-runs", { maxBytes: 16_777_216, bytesOf: (envelope) => 200 + envelope.length });
}

const noEnvelope = new Uint8Array();

/** What is needed from a run. */
interface KnownRun {
  teamId: string;
  layers: Layers;
  plan: Plan;
  secrets: RunSecrets;
  values: readonly NodeValues[];
  traceparent: string | null;
}

export async function prepareExternal(
  sql: Database,
  context: RunContext,
  recent: RecentEnvelopes,
  claims: readonly Claim[],
): Promise<PreparedExternal[]> {
  const known = new Map<Claim, KnownRun>();
  for (const claim of claims) {
    const envelope = recent.get(claim.runId);
    // If it can't be decrypted, it is read once more, and then refused.
    const run = envelope && (await recall(sql, context, envelope, claim).catch(() => undefined));
    if (run) known.set(claim, run);
  }
  const others = claims.filter((claim) => !known.has(claim));
  const read = await readRuns(sql, context, others);
  return claims.map((claim) => {
    const run = known.get(claim);
    try {
      if (run) return prepareOne(context, claim, run);
      const stored = read.get(claim.runId);
      if (!stored) return refuse(claim, "InvalidTask", "its run no longer exists");
      const secrets = openSecrets(context, claim, stored.run.secrets ?? noEnvelope);
      recent.set(claim.runId, stored.run.secrets ?? noEnvelope);
      return prepareOne(context, claim, {
        ...stored,
        teamId: stored.run.teamId,
        layers: stored.run.layers,
        traceparent: stored.run.traceparent,
        secrets,
      });
    } catch (error) {
      return unreadable(claim, error);
    }
  });
}

/** From memory. Undefined if that does not know the claim, or lacks something that is needed. */
async function recall(sql: Database, context: RunContext, envelope: Uint8Array, claim: Claim): Promise<KnownRun | undefined> {
  const known = await rememberedValues(sql, context, claim);
  if (!known) return undefined;
  const { layers, traceparent } = known.state;
  const { plan, values } = known;
  return { teamId: claim.teamId, layers, traceparent, plan, secrets: openSecrets(context, claim, envelope), values };
}

async function readRuns(sql: Database, context: RunContext, claims: readonly Claim[]) {
  const found = new Map<string, { run: JobRun; plan: Plan; values: NodeValues[] }>();
  if (claims.length === 0) return found;
  for (const run of await listJobRuns(sql, claims)) found.set(run.id, { run, plan: await context.plans.load(sql, run), values: [] });
  const wanted = claims.flatMap((claim) =>
    nodesToRead(found.get(claim.runId)?.plan, claim).map((node) => ({ teamId: claim.teamId, runId: claim.runId, node })),
  );
  for (const value of await listNodeValues(sql, wanted)) found.get(value.runId)?.values.push(value);
  return found;
}

function openSecrets({ keyring }: RunContext, { teamId, runId }: Claim, envelope: Uint8Array): RunSecrets {
  return envelope.length > 0 ? openRunSecrets(keyring, teamId, runId, envelope) : {};
}

function prepareOne(context: RunContext, claim: Claim, run: KnownRun): PreparedExternal {
  const node = nodeAt(run.plan, claim.node);
  const { task } = node;
  if (!task) return refuse(claim, "InvalidTask", "its task no longer exists");
  const { need, refusal } = placeTask(node, false, () => []);
  if (refusal) return refuse(claim, refusal.reason, refusal.message);
  // Annotations of a task don't belong to a version.
  if (need !== externalNeed(task.name) || need !== claim.need)
    return refuse(claim, "InvalidTask", `task ${task.name} needs ${need} now, but was queued as needing ${claim.need}; run it again`);
  if (asksForCodehostToken(node))
    return refuse(claim, "InvalidTask", "it refers to $(context.codehost-token), which external workers don't get");
  const inputs: AttemptInputs = { ...run, node };
  const scope = attemptScope(context.keyring, inputs);
  const name = claim.item === null ? node.name : `${node.name}[${claim.item}]`;
  const { params } = resolveNodeParams(scope, node, { taskRunId: claim.id, name, ...attemptItem(scope, claim, inputs) });
  const masker = createMasker([...secretTexts(run.secrets), ...nodeSecretTexts(node, scope.open)]);
  const traceparent = attemptTraceparent(context, { ...run, id: claim.runId }, claim.id, claim.attempt);
  const values = { params: typedParams(declaredValues(node), params), results: declaredResults(node) };
  return { job: { claim, task: task.name, name, ...values, masker, traceparent } };
}

function refuse(claim: Claim, reason: string, message: string): PreparedExternal {
  return { refusal: { claim, status: "invalid", reason, message } };
}

/** A secret that can't be decrypted, or a broken reference, fails only this attempt. */
function unreadable(claim: Claim, error: unknown): PreparedExternal {
  if (error instanceof UnresolvedReference) return { refusal: { claim, status: "failed", reason: error.reason, message: error.message } };
  if (!(error instanceof EnvelopeError)) throw error;
  return { refusal: { claim, status: "failed", reason: "SecretUnreadable", message: error.message } };
}
