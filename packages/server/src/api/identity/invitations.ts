import {
  type Invitation,
  type InvitationRules,
  invitationRenewal,
  invitationRequest,
  invitationRules,
  type NewInvitation,
  newInvitation,
  pageInvitation,
} from "@millrace/contract/identity/invitation.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { readEmail } from "../../base/text/email.ts";
import { type InvitedPerson, invitePerson, requireInvitation, revokeInvitation as revoke } from "../../domain/identity/invite-people.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { readMailSettings } from "../../domain/settings/mail-settings.ts";
import { holdTeam } from "../../domain/team/change-team.ts";
import { inviteRefusal, mayGrantRole, mayOptIn } from "../../policy/teams.ts";
import type { Transaction } from "../../store/database/database.ts";
import { queryInvitations as find, type InvitationRow } from "../../store/identity/invitations.ts";
import { invalidMember } from "../body-members.ts";
import { type Context, defineEndpoint } from "../endpoint.ts";
import { pageParameters, teamPath } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { inviteCheck } from "./invite-check.ts";
import { signInRules } from "./sign-in/begin-session.ts";

const path = "/api/v2/team/:team/invitation";
const invitationPath = Type.Object({
  team: teamPath.properties.team,
  invitation: Type.String({ format: "uuid", description: "ID of the invitation" }),
});

export const queryInvitations = defineEndpoint({
  method: "GET",
  path: `${path}/query`,
  summary: "Find invitations to a team",
  description: "The latest first. Used and revoked ones are kept until 90 days after their link expires.",
  tag: "Teams",
  permission: "team/grant",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    ...pageParameters,
    open: Type.Boolean({ default: false, description: "Only those that are pending or expired" }),
  }),
  response: pageInvitation,
  async handle({ db, team, query: { limit, page, open } }) {
    const { rows, total } = await find(db, team.id, { isOpen: open, limit, offset: limit * page });
    return viewPage(rows.map(viewInvitation), { limit, page, total, sorted: true });
  },
});

export const getInvitationRules = defineEndpoint({
  method: "GET",
  path: `${path}/rules`,
  summary: "Read whether and how you can invite people to a team",
  tag: "Teams",
  permission: "team/read",
  transaction: "read",
  params: teamPath,
  response: invitationRules,
  async handle({ db, team, principal, services, keyring }): Promise<InvitationRules> {
    const { emailDomains, isAuthOff } = signInRules(services);
    const { inviters } = await services.runs.settings.load(db);
    const whyNot = isAuthOff ? signInIsOff : inviteRefusal(principal, team.id, inviters);
    return {
      mayInvite: whyNot === undefined,
      ...(whyNot !== undefined && { whyNot }),
      sendsMail: !("fault" in (await readMailSettings(db, keyring))),
      domains: [...emailDomains],
      endsUnsandboxed: services.isForOnePerson?.() === true,
    };
  },
});

export const createInvitation = defineEndpoint({
  method: "POST",
  path,
  summary: "Invite a person to a team",
  description:
    "Answers with a link that works once, for a week, and only for this address; it is also sent by email if a mail server is configured. Another invitation of the same address replaces " +
    "the first with its link. The person becomes a member by accepting. Whether the address has an account already makes no difference to the response.",
  tag: "Teams",
  permission: "team/grant",
  transaction: "write",
  params: teamPath,
  body: invitationRequest,
  response: newInvitation,
  async handle(context) {
    const { body, team } = context;
    const email = readEmail(body.email.trim());
    if (email === undefined) {
      const shown = JSON.stringify(body.email.slice(0, 80));
      throw invalidMember("email", `is ${shown}; it must be an email address without invisible characters`);
    }
    await holdTeam(context.db, team);
    return invite(context, { email, role: body.role, sendsMail: body.mail });
  },
});

export const renewInvitation = defineEndpoint({
  method: "POST",
  path: `${path}/:invitation/renew`,
  summary: "Create a new link for an invitation",
  description: "For an invitation that expired, or whose email didn't arrive. The link before stops working. Sends the email again.",
  tag: "Teams",
  permission: "team/grant",
  transaction: "write",
  params: invitationPath,
  body: invitationRenewal,
  bodyOptional: true,
  response: newInvitation,
  async handle(context) {
    const { db, team, params, body } = context;
    await holdTeam(db, team);
    const { email, role, state } = await requireInvitation(db, team, params.invitation);
    if (state === "used" || state === "revoked") {
      throw new AppError("CONFLICT", [`The invitation of ${email} is already ${state}; invite the person again`]);
    }
    return invite(context, { email, role, sendsMail: body?.mail });
  },
});

export const revokeInvitation = defineEndpoint({
  method: "DELETE",
  path: `${path}/:invitation`,
  summary: "Revoke an invitation",
  description: "Its link stops working at once. 409 if it was already used or revoked.",
  tag: "Teams",
  permission: "team/grant",
  transaction: "write",
  params: invitationPath,
  response: null,
  async handle({ db, team, params, audit }) {
    await holdTeam(db, team);
    const { email, role } = await revoke(db, team, params.invitation);
    audit({
      kind: "invitation",
      id: params.invitation,
      name: email,
      before: { email, role, state: "pending" },
      after: { state: "revoked" },
    });
  },
});

type Inviting = Pick<
  Context<unknown, unknown, unknown, Transaction>,
  "db" | "team" | "principalUnderLock" | "services" | "keyring" | "audit" | "afterCommit"
>;

const signInIsOff = "sign-in is off (MILLRACE_AUTH=off): everyone who reaches this instance can do everything";

/** The team is locked. */
async function invite(context: Inviting, wanted: { email: string; role: InvitationRow["role"]; sendsMail: boolean | undefined }) {
  const { db, team, services, keyring, audit, afterCommit } = context;
  const { email, role } = wanted;
  if (signInRules(services).isAuthOff) throw new AppError("CONFLICT", [`Nobody can be invited: ${signInIsOff}`]);
  const principal = await context.principalUnderLock();
  (await inviteCheck(db, services, principal, team.id))([email]);
  if (!mayGrantRole(principal, team.id, role)) throw new AppError("PERMISSION_DENIED", [`you can't invite with the role ${role}`]);
  const sendsMail = await whetherToMail(context, wanted.sendsMail);
  const inviter = { userId: principal.userId, name: principal.name, isAdministrator: mayOptIn(principal) };
  const invited = await invitePerson(db, team, { email, role, inviter, sendsMail }, keyring);
  audit({ kind: "invitation", id: invited.row.id, name: email, after: { email, role, sendsMail, team: team.name } });
  afterCommit(() => services.bus.wake(channels.deliveries));
  return viewNewInvitation(invited, services.runs.publicUrl);
}

async function whetherToMail({ db, keyring }: Inviting, wanted: boolean | undefined): Promise<boolean> {
  if (wanted === false) return false;
  const settings = await readMailSettings(db, keyring);
  if (!("fault" in settings)) return true;
  if (wanted === undefined) return false;
  throw new AppError("CONFLICT", [`${settings.fault}. Leave out mail, and pass on the link yourself`]);
}

function viewNewInvitation({ row, token }: InvitedPerson, publicUrl: string): NewInvitation {
  return { ...viewInvitation(row), link: `${publicUrl}/sign-in/invitation#${token}` };
}

const mailStates = { waiting: "sending", pending: "sending", delivered: "sent", dead: "failed" } as const;

function viewInvitation({ id, email, role, state, inviterName, createdAt, expiresAt, mailStatus, mailError }: InvitationRow): Invitation {
  return {
    ...{ id, email, role, state, invitedBy: inviterName },
    creationDate: createdAt.toISOString(),
    expirationDate: expiresAt.toISOString(),
    ...(mailStatus !== null && {
      mail: { status: mailStates[mailStatus], ...(mailError !== null && mailStatus !== "delivered" && { error: mailError }) },
    }),
  };
}
