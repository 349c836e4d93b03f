import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import { parameterFaults } from "../../core/parameter/parameters-check.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";
import { createGlobalParameter, replaceGlobalParameter } from "../../domain/parameter/write-global-parameter.ts";
import { holdTeam, mergeParameters } from "../../domain/team/change-team.ts";
import { keepProtectedSecrets } from "../../domain/workflow/publish/protect-secret.ts";
import { refuseFaults } from "../../domain/workflow/refuse-faults.ts";
import { lockGlobalParameter } from "../../store/team/global-parameters.ts";
import { type TeamRow, updateTeam } from "../../store/team/teams.ts";
import type { TeamScope } from "../endpoint.ts";
import { type ApplyContext, changesSecrets, type SavedDocument, withPermission } from "./apply-context.ts";
import type { SetDocument } from "./read-set.ts";

type ParameterDocument = Extract<SetDocument, { form: "parameter" }>;

/** A parameter of the instance. */
export async function saveGlobalParameter(given: ApplyContext, { input, teams }: ParameterDocument): Promise<SavedDocument> {
  const { db, keyring, audit } = withPermission(given, "parameter/write");
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

/** The parameters of a team are one value of its row, so those of a set are written at once: by `write`, before anything reads them. */
export class TeamParameters {
  readonly #context: ApplyContext;
  readonly #team: TeamScope;
  #row: TeamRow | undefined;
  #isChanged = false;

  constructor(context: ApplyContext, team: TeamScope) {
    this.#context = context;
    this.#team = team;
  }

  /** Requires the same permission as changing the team. */
  async save({ input }: ParameterDocument): Promise<SavedDocument> {
    const { db, keyring, audit } = withPermission(this.#context, "team/write");
    refuseFaults(parameterFaults(input));
    this.#row ??= await holdTeam(db, this.#team);
    const row = this.#row;
    const parameters = inDocument(() => mergeParameters(row, [input], keyring));
    const find = (list: readonly AbstractParam[]) => list.find(({ name }) => name === input.name);
    const [before, after] = [find(row.parameters), find(parameters)!];
    const isSame = isSameJson(before, after);
    if (isSame) return saved(before, after, isSame);
    await keepProtectedSecrets(db, row.id, parameters);
    this.#row = { ...row, parameters };
    this.#isChanged = true;
    audit({ kind: "parameter", name: input.name, ...(before && { before: masked(before) }), after: masked(after) });
    return saved(before, after, isSame);
  }

  async write(): Promise<void> {
    if (!this.#isChanged || this.#row === undefined) return;
    this.#isChanged = false;
    await updateTeam(this.#context.db, this.#team.id, this.#row);
  }
}

/** Turns details about the list of the team into details about the document. */
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
