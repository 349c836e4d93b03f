import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import { parameterFaults } from "../../core/parameter/parameters-check.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";
import { createGlobalParameter, replaceGlobalParameter } from "../../domain/parameter/write-global-parameter.ts";
import { holdTeam, mergeParameters } from "../../domain/team/change-team.ts";
import { refuseFaults } from "../../domain/workflow/refuse-faults.ts";
import { lockGlobalParameter } from "../../store/team/global-parameters.ts";
import { updateTeam } from "../../store/team/teams.ts";
import type { TeamScope } from "../endpoint.ts";
import { type ApplyContext, changesSecrets, permitted, type SavedDocument } from "./apply-context.ts";
import type { SetDocument } from "./read-set.ts";

type ParameterDocument = Extract<SetDocument, { form: "parameter" }>;

/** A parameter of the team, which needs what changing the team needs, or one of the instance. */
export async function saveParameter(context: ApplyContext, document: ParameterDocument): Promise<SavedDocument> {
  const { team } = context;
  if (team === null) return saveGlobal(permitted(context, "parameter/write"), document);
  return saveInTeam(permitted(context, "team/write"), team, document);
}

async function saveGlobal({ db, keyring, audit }: ApplyContext, { input, teams }: ParameterDocument): Promise<SavedDocument> {
  const present = await lockGlobalParameter(db, input.name);
  const { before, after } =
    present === undefined
      ? { before: undefined, after: await createGlobalParameter(db, keyring, input) }
      : await replaceGlobalParameter(db, keyring, input, teams, { keepsSame: true });
  const [was, is] = [before && masked(before), masked(after)];
  const isSame = after === before;
  if (!isSame) audit({ kind: "parameter", name: after.name, ...(was && { before: was }), after: is });
  return saved(before, after, isSame);
}

async function saveInTeam({ db, keyring, audit }: ApplyContext, team: TeamScope, { input }: ParameterDocument): Promise<SavedDocument> {
  refuseFaults(parameterFaults(input));
  const row = await holdTeam(db, team);
  const parameters = inDocument(() => mergeParameters(row, [input], keyring));
  const find = (list: readonly AbstractParam[]) => list.find(({ name }) => name === input.name);
  const [before, after] = [find(row.parameters), find(parameters)!];
  const isSame = isSameJson(before, after);
  if (isSame) return saved(before, after, isSame);
  await updateTeam(db, team.id, { ...row, parameters });
  audit({ kind: "parameter", name: input.name, ...(before && { before: masked(before) }), after: masked(after) });
  return saved(before, after, isSame);
}

/** Details about the list of the team are about the document. */
function inDocument<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    const details = error.details.map((detail) => ({ ...detail, path: detail.path.replace(/^\/parameters(?:\/0)?/, "") }));
    throw new AppError(error.reason, error.values, { details, cause: error });
  }
}

function saved(before: AbstractParam | undefined, after: AbstractParam, isSame: boolean): SavedDocument {
  return {
    name: after.name,
    before: before && shownDocument("Parameter", masked(before)),
    after: shownDocument("Parameter", masked(after)),
    isSame,
    changesSecrets: !isSame && changesSecrets(before, after),
  };
}

function masked(parameter: AbstractParam): AbstractParam {
  return maskParams([parameter])[0]!;
}
