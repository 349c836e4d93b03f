import { codehostInstallation } from "@millrace/contract/integration.ts";
import Type from "typebox";
import { AppError } from "../../base/app-error.ts";
import { linkTeamToInstallation, requireInstallation, unknownInstallation } from "../../domain/integration/link-installation.ts";
import { allows } from "../../policy/allows.ts";
import type { Transaction } from "../../store/database.ts";
import type { TeamReference } from "../../store/directory.ts";
import { findInstallationOfTeam, type InstallationRow, listLinkedTeams } from "../../store/installations.ts";
import { type Context, defineEndpoint, type Principal } from "../endpoint.ts";
import { viewInstallation } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

export const getInstallation = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration/codehost/installation",
  summary: "Read an installation of the codehost's app, and link it to a team",
  description:
    "With `id`: that installation, if one of your teams is linked to it, or if none is yet and you may link it. With `team`: the one that the team is linked to. " +
    "With both, and the permission `integration/write` in the team, it links them first.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  query: Type.Object({
    id: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "The platform's number of the installation" }),
    ),
    team: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Name or id of the team" })),
  }),
  response: codehostInstallation,
  async handle(context) {
    const { db, query, principal } = context;
    const { id } = query;
    if (id === undefined && query.team === undefined)
      throw new AppError("BAD_REQUEST", ["id or team is missing: name one of them, or both"]);
    const team = query.team === undefined ? undefined : await requireTeam(db, principal, query.team, "integration/read");
    return viewInstallation(await find(context, id === undefined ? undefined : String(id), team));
  },
});

type InstallationContext = Pick<Context<unknown, unknown, unknown, Transaction>, "db" | "principal" | "audit" | "auditNothing">;

async function find(context: InstallationContext, ref: string | undefined, team: TeamReference | undefined): Promise<InstallationRow> {
  const { db, principal, audit, auditNothing } = context;
  if (ref !== undefined && team !== undefined && allows(principal, "integration/write", team.id)) {
    const { installation, isNew } = await linkTeamToInstallation(db, team.id, ref);
    if (isNew)
      audit({
        kind: "integration",
        id: installation.id,
        name: team.name,
        teamId: team.id,
        before: { linked: false },
        after: { linked: true },
      });
    else auditNothing();
    return installation;
  }
  auditNothing();
  if (ref === undefined) return requireLinked(db, team!);
  const installation = await requireInstallation(db, ref);
  if (await maySee(db, principal, installation, team)) return installation;
  throw unknownInstallation(ref);
}

async function requireLinked(db: Transaction, team: TeamReference): Promise<InstallationRow> {
  const installation = await findInstallationOfTeam(db, team.id);
  if (!installation) throw new AppError("INTEGRATION_NOT_CONFIGURED", ["codehost", `team ${team.name} is linked to no installation`]);
  return installation;
}

/** Whoever reads the integrations of a linked team; and, while it has no team, whoever could link it to one. */
async function maySee(db: Transaction, principal: Principal, { id }: InstallationRow, team: TeamReference | undefined): Promise<boolean> {
  if (allows(principal, "integration/read")) return true;
  const linked = await listLinkedTeams(db, id);
  if (team !== undefined) return linked.includes(team.id);
  if (linked.length > 0) return linked.some((teamId) => allows(principal, "integration/read", teamId));
  return [...principal.teams.keys()].some((teamId) => allows(principal, "integration/write", teamId));
}
