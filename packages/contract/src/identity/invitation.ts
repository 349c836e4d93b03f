import Type, { type Static } from "typebox";
import { page } from "../page.ts";
import { named, ref, stringEnum } from "../schema.ts";
import { teamRoles } from "./user.ts";

export const invitationStates = ["pending", "expired", "used", "revoked"] as const;
export type InvitationState = (typeof invitationStates)[number];

/** How many pending invitations and links a team can have, and how long a link is valid. */
export const invitationLimits = { pending: 200, linksPerHour: 200, days: 7 } as const;

/** `sending`: queued, or retried after a failure. */
export const invitationMailStates = ["sending", "sent", "failed"] as const;

export interface InvitationMail extends Static<typeof invitationMail> {}
export const invitationMail = named(
  "InvitationMail",
  Type.Object({
    status: stringEnum(invitationMailStates),
    error: Type.Optional(Type.String({ description: "Of the last attempt" })),
  }),
);

const members = {
  id: Type.String(),
  email: Type.String({ description: "Only this person can accept it" }),
  role: stringEnum(teamRoles),
  state: stringEnum(invitationStates),
  invitedBy: Type.String({ description: "Name of the person or token" }),
  creationDate: Type.String({ format: "date-time" }),
  expirationDate: Type.String({ format: "date-time", description: "When its link stops working" }),
  mail: Type.Optional(ref(invitationMail)),
};
const example = {
  id: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
  email: "bob@example.com",
  role: "editor" as const,
  state: "pending" as const,
  invitedBy: "Ada",
  creationDate: "2026-03-02T08:15:00.000Z",
  expirationDate: "2026-03-09T08:15:00.000Z",
  mail: { status: "sent" as const },
};

export interface Invitation extends Static<typeof invitation> {}
export const invitation = named("Invitation", Type.Object(members, { examples: [example] }));
export const pageInvitation = page("PageInvitation", invitation);

/** The link is only in this response, when it is created: the service stores only its hash. */
export interface NewInvitation extends Static<typeof newInvitation> {}
export const newInvitation = named(
  "NewInvitation",
  Type.Object(
    { ...members, link: Type.String({ description: "Works once, for a week. Shown only here; pass it on to this person only" }) },
    { examples: [{ ...example, link: "https://millrace.example.com/sign-in/invitation#mri_…" }] },
  ),
);

export interface InvitationRequest extends Static<typeof invitationRequest> {}
export const invitationRequest = named(
  "InvitationRequest",
  Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 320 }),
      role: stringEnum(teamRoles),
      mail: Type.Optional(Type.Boolean({ description: "Whether to send an email; default: if a mail server is configured" })),
    },
    { examples: [{ email: "bob@example.com", role: "editor" }] },
  ),
);

export const invitationRenewal = named(
  "InvitationRenewal",
  Type.Object(
    { mail: Type.Optional(Type.Boolean({ description: "Whether to send an email; default: if a mail server is configured" })) },
    { examples: [{ mail: true }] },
  ),
);

/** The rules that an invite dialog needs to know. */
export interface InvitationRules extends Static<typeof invitationRules> {}
export const invitationRules = named(
  "InvitationRules",
  Type.Object(
    {
      mayInvite: Type.Boolean(),
      whyNot: Type.Optional(Type.String({ description: "Present if you can't invite" })),
      sendsMail: Type.Boolean({ description: "Whether a mail server is configured" }),
      domains: Type.Array(Type.String(), { description: "Domains of people who can be invited; empty: all" }),
      endsUnsandboxed: Type.Boolean({ description: "Scripts run without a sandbox until a second person is invited" }),
    },
    { examples: [{ mayInvite: true, sendsMail: false, domains: [], endsUnsandboxed: false }] },
  ),
);

const token = Type.String({ minLength: 1, maxLength: 100, description: "The part of the link after #" });
export const invitationToken = named("InvitationToken", Type.Object({ token }, { examples: [{ token: "mri_…" }] }));

/** How the person who opens a link signs in: with a new password, or in the way that the instance already uses. */
export const invitationSignIns = ["password", "oidc", "proxy"] as const;

export interface OpenInvitation extends Static<typeof openInvitation> {}
export const openInvitation = named(
  "OpenInvitation",
  Type.Object(
    {
      team: Type.String({ description: "Display name" }),
      email: Type.String(),
      role: stringEnum(teamRoles),
      invitedBy: Type.String(),
      expirationDate: Type.String({ format: "date-time" }),
      signIn: stringEnum(invitationSignIns, { description: "password: set one, or sign in with the one you have" }),
    },
    {
      examples: [
        {
          team: "The Hawks",
          email: "bob@example.com",
          role: "editor",
          invitedBy: "Ada",
          expirationDate: "2026-03-09T08:15:00.000Z",
          signIn: "password",
        },
      ],
    },
  ),
);

export interface InvitationAcceptance extends Static<typeof invitationAcceptance> {}
export const invitationAcceptance = named(
  "InvitationAcceptance",
  Type.Object(
    {
      token,
      name: Type.Optional(Type.String({ maxLength: 400, description: "Your name, for a new account" })),
      password: Type.Optional(
        Type.String({ minLength: 8, maxLength: 1000, description: "Of your new account; leave it out if you are signed in" }),
      ),
    },
    { examples: [{ token: "mri_…", name: "Bob", password: "correct horse battery" }] },
  ),
);

export interface AcceptedInvitation extends Static<typeof acceptedInvitation> {}
export const acceptedInvitation = named(
  "AcceptedInvitation",
  Type.Object({ team: Type.String({ description: "Name of the team that you are a member of now" }) }, { examples: [{ team: "hawks" }] }),
);
