import { membersOf } from "../../base/text/json-text.ts";
import type { CodehostClient } from "./codehost-client.ts";
import { CodehostError } from "./codehost-error.ts";

/** A commit on which an installation may create checks. */
export interface Commit {
  /** The platform's id of the installation. */
  installationRef: string;
  owner: string;
  repository: string;
  sha: string;
}

export interface CheckRun {
  name: string;
  /** Our own id for it, with which it is found again. */
  externalId: string;
  status: "in_progress" | "completed";
  conclusion: string | undefined;
  /** Link for more information. */
  detailsUrl: string;
  title: string;
  summary: string;
}

/** @throws CodehostError, with the fault `permission` if the app may not write checks */
export async function createCheckRun(client: CodehostClient, commit: Commit, check: CheckRun, signal?: AbortSignal): Promise<number> {
  const { data } = await client.asInstallation(commit.installationRef, {
    route: "POST /repos/{owner}/{repo}/check-runs",
    parameters: { ...placeOf(commit), head_sha: commit.sha, external_id: check.externalId, ...bodyOf(check) },
    // If the response is lost, the check may exist: it is looked for before the next try (findCheckRun).
    isRepeatable: false,
    signal,
  });
  return idOf(data);
}

/** @throws CodehostError */
export async function updateCheckRun(
  client: CodehostClient,
  commit: Commit,
  id: number,
  check: CheckRun,
  signal?: AbortSignal,
): Promise<void> {
  await client.asInstallation(commit.installationRef, {
    route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    parameters: { ...placeOf(commit), check_run_id: id, ...bodyOf(check) },
    isRepeatable: true,
    signal,
  });
}

/** Our check at that commit, undefined if there is none. @throws CodehostError */
export async function findCheckRun(
  client: CodehostClient,
  commit: Commit,
  { name, externalId }: Pick<CheckRun, "name" | "externalId">,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { data } = await client.asInstallation(commit.installationRef, {
    route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    parameters: { ...placeOf(commit), ref: commit.sha, check_name: name, filter: "all", per_page: 100 },
    isRepeatable: true,
    signal,
  });
  const { check_runs } = membersOf(data);
  const ours = (Array.isArray(check_runs) ? check_runs : []).find((one) => membersOf(one)["external_id"] === externalId);
  return ours === undefined ? undefined : idOf(ours);
}

/**
 * The older API, which needs another permission. The platform shows the last status with a name, so repeating it is harmless.
 * @throws CodehostError
 */
export async function setCommitStatus(
  client: CodehostClient,
  commit: Commit,
  { state, detailsUrl, title, name }: { state: string; detailsUrl: string; title: string; name: string },
  signal?: AbortSignal,
): Promise<void> {
  await client.asInstallation(commit.installationRef, {
    route: "POST /repos/{owner}/{repo}/statuses/{sha}",
    parameters: { ...placeOf(commit), sha: commit.sha, state, target_url: detailsUrl, description: title, context: name },
    isRepeatable: true,
    signal,
  });
}

function placeOf({ owner, repository }: Commit) {
  return { owner, repo: repository };
}

function bodyOf({ name, status, conclusion, detailsUrl, title, summary }: CheckRun) {
  return { name, status, ...(conclusion !== undefined && { conclusion }), details_url: detailsUrl, output: { title, summary } };
}

function idOf(data: unknown): number {
  const { id } = membersOf(data);
  if (!Number.isSafeInteger(id)) throw new CodehostError("unavailable", "its response has no check run");
  return id as number;
}
