import { readEmail } from "../../base/text/email.ts";
import { membersOf } from "../../base/text/json-text.ts";

/**
 * The email address of a user of the chat platform (response of `users.info`), if the user can be identified: a person who is a member of
 * this workspace, with an address that the platform has confirmed. All others are refused with a sentence: guests can be invited by any
 * member, and the addresses of people in a shared channel come from a workspace that no one here vouches for.
 *
 * @param workspaceRef the platform's id of the workspace that vouches
 */
export function readChatUser(answer: unknown, workspaceRef: string): { email: string } | { refusal: string } {
  const user = membersOf(answer);
  const refusal = refusals.find(({ holds }) => holds(user, workspaceRef))?.text;
  if (refusal !== undefined) return { refusal };
  const { email } = membersOf(user["profile"]);
  if (typeof email !== "string" || email === "")
    return { refusal: "the platform does not share your email address; the app needs the scope users:read.email" };
  const known = readEmail(email);
  return known !== undefined ? { email: known } : { refusal: "the email address that the platform has for you is not valid here" };
}

type User = Readonly<Record<string, unknown>>;

const refusals: readonly { holds(user: User, workspaceRef: string): boolean; text: string }[] = [
  { holds: (user) => user["is_bot"] === true || user["is_workflow_bot"] === true, text: "apps and bots can't use this, only people" },
  { holds: (user) => user["deleted"] === true, text: "your account in the workspace is deactivated" },
  { holds: (user) => user["is_restricted"] === true || user["is_ultra_restricted"] === true, text: "guests of a workspace can't use this" },
  {
    holds: (user, ref) => user["is_stranger"] === true || !isOfWorkspace(user, ref),
    text: "you belong to another workspace than the one that is linked here",
  },
  { holds: (user) => user["is_invited_user"] === true, text: "accept your invitation to the workspace first" },
  { holds: (user) => user["is_email_confirmed"] === false, text: "the platform has not confirmed your address yet" },
];

/** In an organisation with several workspaces, a user belongs to one of them and may be in others. */
function isOfWorkspace(user: User, workspaceRef: string): boolean {
  const home = user["team_id"];
  const others = membersOf(user["enterprise_user"])["teams"];
  return home === workspaceRef || (Array.isArray(others) && others.includes(workspaceRef));
}
