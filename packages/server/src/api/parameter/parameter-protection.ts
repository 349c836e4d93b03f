import { ref } from "@millrace/contract/schema.ts";
import {
  type GlobalSecretProtection,
  globalSecretProtection,
  globalSecretProtectionRequest,
  type ProtectedGlobalSecret,
  protectedGlobalSecret,
} from "@millrace/contract/workflow/protection.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import {
  listGlobalSecretUses,
  protectGlobalSecret as protect,
  type UseInTeam,
  unprotectGlobalSecret as unprotect,
} from "../../domain/parameter/protect-global-secret.ts";
import { listGlobalParameters } from "../../store/team/global-parameters.ts";
import {
  findGlobalSecretProtection,
  listGlobalSecretProtections,
  type GlobalSecretProtection as ProtectionRow,
} from "../../store/team/global-secret-protections.ts";
import { defineEndpoint } from "../endpoint.ts";

const shared = { tag: "Protected publishing", path: "/api/v2/parameters/:name/protection" } as const;
const params = Type.Object({ name: Type.String({ description: "Name of the secret" }) });

export const getGlobalSecretProtection = defineEndpoint({
  ...shared,
  method: "GET",
  summary: "Read whether a secret of the instance is protected, and what uses it",
  permission: "parameter/grant",
  transaction: "read",
  params,
  response: ref(globalSecretProtection),
  async handle({ db, params: { name } }) {
    if (!(await listGlobalParameters(db)).some((parameter) => parameter.name === name))
      throw new AppError("PARAMS_INVALID_REFERENCE", [name]);
    return view(await findGlobalSecretProtection(db, name), await listGlobalSecretUses(db, name));
  },
});

export const listProtectedGlobalSecrets = defineEndpoint({
  tag: shared.tag,
  method: "GET",
  path: "/api/v2/parameters/protection",
  summary: "List the protected secrets of the instance",
  permission: "parameter/read",
  transaction: "none",
  response: Type.Array(ref(protectedGlobalSecret)),
  handle: async ({ db }) =>
    (await listGlobalSecretProtections(db)).map(
      ({ approvals, ...row }): ProtectedGlobalSecret => ({ ...row, approvalsRequired: approvals }),
    ),
});

function view(row: ProtectionRow | undefined, uses: readonly UseInTeam[]): GlobalSecretProtection {
  const workflows = uses.map(({ team, workflowId, workflowName, version, isApproved }) => ({
    ...{ team: team.name, ref: workflowId, name: workflowName, version, approved: isApproved },
  }));
  return { ...viewRow(row), workflows };
}

function viewRow(row: ProtectionRow | undefined) {
  return { protected: row !== undefined, approverGroupName: row?.approverGroupName ?? null, approvalsRequired: row?.approvals ?? null };
}

export const protectGlobalSecret = defineEndpoint({
  ...shared,
  method: "PUT",
  summary: "Protect a secret of the instance",
  description:
    "From now on, only runs of versions get it that the approver group of this name has approved in their team. " +
    "A team without such a group gets it for no new version. `workflows` of the answer says what uses it now. Only for administrators.",
  permission: "parameter/grant",
  transaction: "write",
  params,
  body: ref(globalSecretProtectionRequest),
  response: ref(globalSecretProtection),
  async handle({ db, params: { name }, body, audit, auditNothing }) {
    const wanted = { name, approverGroupName: body.approverGroup, approvals: body.approvalsRequired ?? 1 };
    const { before, after, uses, approved } = await protect(db, wanted, body.approveCurrent ?? false);
    const isSame = before?.approverGroupName === after.approverGroupName && before.approvals === after.approvals;
    if (isSame && approved.length === 0) auditNothing();
    else {
      const versions = approved.map(({ team, workflowName, version }) => `${team.name} ${workflowName} ${version}`);
      audit({ ...audited(name), before: viewRow(before), after: { ...viewRow(after), approved: versions } });
    }
    return view(after, uses);
  },
});

function audited(name: string) {
  return { kind: "parameter", name, action: "parameter/protect" };
}

export const unprotectGlobalSecret = defineEndpoint({
  ...shared,
  method: "DELETE",
  summary: "Turn the protection of a secret of the instance off",
  description:
    "All workflows of the teams that may use it can. What was approved for it is forgotten. No error if it is not protected. Only for administrators.",
  permission: "parameter/grant",
  transaction: "write",
  params,
  response: null,
  async handle({ db, params: { name }, audit, auditNothing }) {
    const before = await unprotect(db, name);
    if (before === undefined) auditNothing();
    else audit({ ...audited(name), before: viewRow(before), after: viewRow(undefined) });
  },
});
