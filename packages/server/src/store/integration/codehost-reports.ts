import type { CodehostReport } from "../../core/outbound/codehost-target.ts";
import type { Queryable } from "../database/database.ts";

/** Runs whose status is reported at a commit of the code host. */

export type NewCodehostReport = Omit<CodehostReport, "checkRunId">;

/** In the transaction of the submission. A run that collects events is reported at the commit of the last one. */
export async function insertCodehostReport(db: Queryable, report: NewCodehostReport): Promise<void> {
  await db`
    insert into codehost_report (team_id, run_id, installation_ref, repository_owner, repository_name, head_sha, name)
    values (${report.teamId}, ${report.runId}, ${report.installationRef}, ${report.owner}, ${report.repository}, ${report.sha}, ${report.name})
    on conflict (team_id, run_id) do update
      set installation_ref = excluded.installation_ref, repository_owner = excluded.repository_owner,
        repository_name = excluded.repository_name, head_sha = excluded.head_sha
      where codehost_report.check_run_id is null`;
}

/** A rerun is reported like the first run, under its own check. */
export async function copyCodehostReport(db: Queryable, teamId: string, fromRunId: string, toRunId: string): Promise<void> {
  await db`
    insert into codehost_report (team_id, run_id, installation_ref, repository_owner, repository_name, head_sha, name)
    select team_id, ${toRunId}, installation_ref, repository_owner, repository_name, head_sha, name
    from codehost_report where team_id = ${teamId} and run_id = ${fromRunId}`;
}

export async function findCodehostReport(db: Queryable, teamId: string, runId: string): Promise<CodehostReport | undefined> {
  const [row] = await db<(Omit<CodehostReport, "checkRunId"> & { checkRunId: string | null })[]>`
    select team_id as "teamId", run_id as "runId", installation_ref as "installationRef", repository_owner as owner, repository_name as repository,
           head_sha as sha, name, check_run_id as "checkRunId"
    from codehost_report where team_id = ${teamId} and run_id = ${runId}`;
  return row && { ...row, checkRunId: row.checkRunId === null ? null : Number(row.checkRunId) };
}

/** The first one stays. */
export async function saveCheckRunId(db: Queryable, teamId: string, runId: string, checkRunId: number): Promise<void> {
  await db`
    update codehost_report set check_run_id = ${checkRunId} where team_id = ${teamId} and run_id = ${runId} and check_run_id is null`;
}
