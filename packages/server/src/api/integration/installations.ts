import { codehostInstallation, codehostLinkRequest, integration } from "@millrace/contract/integration.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import {
  linkTeamToInstallation,
  recordLiveInstallation,
  requireInstallation,
  unknownInstallation,
} from "../../domain/integration/installations.ts";
import { codehostAppOf, type IntegrationSettings, readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import type { LiveInstallation } from "../../integrations/codehost/codehost-client.ts";
import { unknownToCodehost } from "../../integrations/codehost/codehost-refusal.ts";
import { allows } from "../../policy/allows.ts";
import { couldLinkInstallation, type LinkRule, mayLinkInstallation, writesSomewhere } from "../../policy/link-installation.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { inTransaction } from "../../store/database/transaction.ts";
import {
  findInstallation,
  findInstallationOfTeam,
  type InstallationRow,
  listLinkedTeams,
  unlinkInstallation as unlink,
} from "../../store/integration/installations.ts";
import type { TeamReference } from "../../store/team/directory.ts";
import { type Context, defineEndpoint, type Principal, type Services } from "../endpoint.ts";
import { viewCodehost, viewInstallation } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

export const getInstallation = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration/codehost/installation",
  summary: "Read an installation of the codehost's app, and link it to a team",
  description:
    "With `id`: that installation, if one of your teams is linked to it, or if you can link it to one. With `team`: the installation that the team is linked to. " +
    "With both, and the permission `integration/write` in the team, it links them first, with the rules of `POST /integration/codehost/link`. The answer comes " +
    "from the platform and updates the stored record. An instance without the app's credentials returns what it knows from the " +
    "platform's events.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "when-needed",
  query: Type.Object({
    id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "The platform's installation number" })),
    team: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Name or ID of the team" })),
  }),
  response: codehostInstallation,
  async handle(context) {
    const { db, query, principal, keyring } = context;
    if (query.id === undefined && query.team === undefined)
      throw new AppError("BAD_REQUEST", ["id and team are missing: give one of them, or both"]);
    const team = query.team === undefined ? undefined : await requireTeam(db, principal, query.team, "integration/read");
    const settings = await readIntegrationSettings(db, keyring);
    const wanted = { settings, team, ref: query.id === undefined ? undefined : String(query.id) };
    const ref = await refToAskFor(db, principal, wanted);
    const live = await readLive(context.services, settings, ref);
    return viewInstallation(
      await inTransaction(db, (tx) => settle(tx, context, { ...wanted, ref, isNamed: wanted.ref !== undefined }, live)),
    );
  },
});

interface Wanted {
  settings: IntegrationSettings;
  /** The platform's number; undefined: the one that the team is linked to. */
  ref: string | undefined;
  team: TeamReference | undefined;
}

/** Checked before the platform is called: a caller must not learn about an installation that they may not see. */
async function refToAskFor(db: Queryable, principal: Principal, { settings, ref, team }: Wanted): Promise<string> {
  if (ref === undefined) return (await requireLinked(db, team!)).ref;
  const known = await findInstallation(db, ref);
  const maySee = known ? await sees(db, principal, settings, known, team) : seesUnknown(principal);
  if (!maySee) throw noInstallation(settings, ref);
  return ref;
}

async function requireLinked(db: Queryable, team: TeamReference): Promise<InstallationRow> {
  const installation = await findInstallationOfTeam(db, team.id);
  if (!installation) throw new AppError("INTEGRATION_NOT_CONFIGURED", ["codehost", `team ${team.name} is not linked to an installation`]);
  return installation;
}

/** Anyone who reads the integrations of a linked team, and anyone who could link it. */
async function sees(
  db: Queryable,
  principal: Principal,
  settings: IntegrationSettings,
  { id, isNew }: InstallationRow,
  team: TeamReference | undefined,
): Promise<boolean> {
  if (allows(principal, "integration/read")) return true;
  const linkedTeams = await listLinkedTeams(db, id);
  const couldLink = couldLinkInstallation(principal, linkRuleOf(settings), { isNew, linkedTeams });
  if (team !== undefined) return linkedTeams.includes(team.id) || (couldLink && allows(principal, "integration/write", team.id));
  return couldLink || linkedTeams.some((teamId) => allows(principal, "integration/read", teamId));
}

function seesUnknown(principal: Principal): boolean {
  return allows(principal, "integration/read") || writesSomewhere(principal);
}

type InstallationContext = Pick<Context<unknown, unknown, unknown, unknown>, "principal" | "auditRecord" | "auditNothing">;

/** Records the platform's response, links if requested, and checks again whether the caller may see it. */
async function settle(
  tx: Transaction,
  context: InstallationContext,
  { settings, team, ref, isNamed }: Wanted & { ref: string; isNamed: boolean },
  live: LiveInstallation | undefined,
): Promise<InstallationRow> {
  const { principal, auditRecord, auditNothing } = context;
  auditNothing();
  const recorded = live && (await recordLiveInstallation(tx, ref, live));
  const installation = recorded?.installation ?? (await findInstallation(tx, ref));
  if (!installation) throw noInstallation(settings, ref);
  if (recorded?.change) await insertAudit(tx, auditRecord({ kind: "integration", ...recorded.change }));
  if (isNamed && team && allows(principal, "integration/write", team.id)) await link(tx, context, settings, team, installation);
  else if (isNamed && !(await sees(tx, principal, settings, installation, team))) throw noInstallation(settings, ref);
  return installation;
}

async function link(
  tx: Transaction,
  { principal, auditRecord }: InstallationContext,
  settings: IntegrationSettings,
  team: TeamReference,
  installation: InstallationRow,
): Promise<void> {
  const rule = linkRuleOf(settings);
  const { isNewLink } = await linkTeamToInstallation(tx, team.id, installation, (facts) => mayLinkInstallation(principal, rule, facts));
  if (!isNewLink) return;
  const record = { kind: "integration", id: installation.id, name: team.name, teamId: team.id };
  await insertAudit(tx, auditRecord({ ...record, before: { linked: false }, after: { linked: true } }));
}

export const linkInstallation = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/codehost/link",
  summary: "Link an installation of the codehost's app to a team",
  description:
    "Events of the installation can then start the team's workflows. Links to other teams stay. Linking again changes nothing. " +
    "Needs the permission `integration/write` in the team, and what the setting `codehost.linking` asks for. By default the installation must be " +
    "less than an hour old and not linked to a team, or linked to a team whose integrations you can write, or you are an administrator. " +
    "An installation that Millrace has not heard of is looked up on the platform.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "when-needed",
  body: codehostLinkRequest,
  response: ref(integration),
  async handle({ db, body, principal, keyring, services, auditRecord }) {
    const team = await requireTeam(db, principal, body.team, "integration/write");
    const settings = await readIntegrationSettings(db, keyring);
    const isKnown = (await findInstallation(db, body.ref)) !== undefined;
    const live = isKnown || !/^[1-9]\d{0,14}$/.test(body.ref) ? undefined : await readLive(services, settings, body.ref);
    const rule = linkRuleOf(settings);
    const installation = await inTransaction(db, async (tx) => {
      const found = live ? (await recordLiveInstallation(tx, body.ref, live)).installation : await requireInstallation(tx, body.ref);
      const { isNewLink } = await linkTeamToInstallation(tx, team.id, found, (facts) => mayLinkInstallation(principal, rule, facts));
      const link = { kind: "integration", id: found.id, name: team.name, teamId: team.id };
      await insertAudit(tx, auditRecord({ ...link, before: { linked: !isNewLink }, after: { linked: true } }));
      return found;
    });
    return viewCodehost(settings, installation);
  },
});

export const unlinkInstallation = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/codehost/unlink",
  summary: "Unlink an installation of the codehost's app from a team",
  description:
    "`ref` is the platform's installation number, or the `ref` of the team's integration. Links to other teams stay, and you can link the team again. " +
    "Unlinking again changes nothing. Needs the permission `integration/write` in the team.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  body: codehostLinkRequest,
  response: null,
  async handle({ db, body, principal, audit }) {
    const team = await requireTeam(db, principal, body.team, "integration/write");
    const installation = await findInstallation(db, body.ref);
    const wasLinked = installation !== undefined && (await unlink(db, team.id, installation.id));
    const id = installation?.id ?? body.ref;
    audit({ kind: "integration", id, name: team.name, teamId: team.id, before: { linked: wasLinked }, after: { linked: false } });
  },
});

/**
 * The current state of the installation from the platform. Undefined if the instance has no credentials of the app, so that its events are
 * the only source. Uses the network, so never call it within a transaction.
 *
 * @param ref the platform's number of it. @throws AppError INTEGRATION_NOT_CONFIGURED, INTEGRATION_FAILED
 */
async function readLive(
  { codehost }: Pick<Services, "codehost">,
  settings: IntegrationSettings,
  ref: string,
): Promise<LiveInstallation | undefined> {
  const app = codehostAppOf(settings);
  return app && codehost.of(app).readInstallation(ref);
}

/** Missing installations and those that the caller must not see get the same response. */
function noInstallation(settings: IntegrationSettings, ref: string): AppError {
  return codehostAppOf(settings) === undefined || !/^\d+$/.test(ref) ? unknownInstallation(ref) : unknownToCodehost(ref);
}

function linkRuleOf(settings: IntegrationSettings): LinkRule {
  return settings.get("codehost.linking") as LinkRule;
}
