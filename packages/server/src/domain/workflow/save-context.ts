import type { WarningCode } from "@millrace/contract/workflow/workflow-problem.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Finding } from "../../core/parameter/check-references.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import type { OptIn } from "../../core/task/opt-in.ts";
import type { Quotas } from "../../core/team/quota.ts";
import { quotasInForce } from "../../core/team/quota.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../../store/settings/settings.ts";
import type { NodeTask } from "../../store/task/task-uses.ts";
import { listGlobalParameterNames } from "../../store/team/global-parameters.ts";
import { findTeam } from "../../store/team/teams.ts";

/** The team, the author and the rules of a save of a workflow. */
export interface SaveContext {
  team: { id: string; name: string };
  /** Name of the principal, for the changelog. */
  author: string;
  keyring: Keyring;
  quotas: Quotas;
  storage: InstanceSettings["storage"];
  /** Whether its tasks may use the network of the machine. */
  hostNetwork: OptIn;
  /** Whether steps of its tasks may have privileges. */
  privileges: OptIn;
  /** Names of the team's current parameters, and of those of the instance that it may use. */
  parameters: { global: ReadonlySet<string>; team: ReadonlySet<string> };
  /** The instance has an image for steps that don't name one. */
  hasDefaultImage: boolean;
  /** The longest time of one attempt on an executor. */
  maxTaskTimeoutMinutes: number;
  /** Warnings about the document that is saved or checked, which don't prevent a save; filled in the process. */
  warnings: DocumentWarning[];
}

/** Worth mentioning, and no reason to refuse. `path` is a JSON pointer into the workflow. */
export interface DocumentWarning extends Finding {
  code: WarningCode;
}

/** What the check of a document needs of it. */
export type CheckContext = Pick<
  SaveContext,
  "team" | "quotas" | "storage" | "hostNetwork" | "privileges" | "parameters" | "hasDefaultImage" | "maxTaskTimeoutMinutes" | "warnings"
>;

/** Of `RunContext`: what this process allows. */
interface OptInRules {
  allowsHostNetwork: boolean;
  allowsPrivileged: boolean;
}

/** The context of a save, with the quotas that apply now. */
export async function loadSaveContext(
  db: Queryable,
  teamId: string,
  author: string,
  keyring: Keyring,
  runs: OptInRules,
): Promise<SaveContext> {
  const team = await findTeam(db, teamId);
  if (team === undefined) throw new AppError("TEAM_INVALID_REF", [teamId]);
  const settings = await readSettings(db);
  return {
    team: { id: team.id, name: team.name },
    author,
    keyring,
    quotas: quotasInForce(team, settings),
    storage: settings.storage,
    parameters: {
      global: new Set(settings.features.globalParameters ? await listGlobalParameterNames(db, team.id) : []),
      team: new Set(settings.features.teamParameters ? team.parameters.map(({ name }) => name) : []),
    },
    hasDefaultImage: settings.task.defaultImage !== "",
    maxTaskTimeoutMinutes: settings.task.maxTimeoutMinutes,
    warnings: [],
    hostNetwork: { isAllowedHere: runs.allowsHostNetwork, team: { name: team.name, isAllowed: team.allowHostNetwork } },
    privileges: { isAllowedHere: runs.allowsPrivileged, team: { name: team.name, isAllowed: team.allowPrivileged } },
  };
}

/**
 * The same rules decide what is saved and what a designer shows while someone draws. Saving stops at the first thing that is wrong;
 * checking continues and tells all of them, and holds nothing.
 */
export interface CheckMode {
  /** What happens with something that is wrong. When it returns, the rest is examined. */
  refuse(error: AppError): void;
  /** The tasks in use are locked against deletion until the transaction ends. */
  holdsTasks: boolean;
  /** A task that is in no list; only a reference by its id finds it. */
  draft?: Omit<NodeTask, "position"> | undefined;
}

export const saving: CheckMode = {
  refuse(error) {
    throw error;
  },
  holdsTasks: true,
};
