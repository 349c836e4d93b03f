import { isEmail } from "../../../base/text/email.ts";
import { oneLine, type RenderedMail, renderPage } from "./render-mail.ts";

/** The texts for an email about an invitation. Names are text from users. */
export interface InvitationMailText {
  appName: string;
  team: string;
  inviter: string;
  role: string;
  /** Address of the invited person. */
  email: string;
  /** A link that works once. */
  link: string;
  expiresAt: Date;
}

/** One line, without anything that a mail program would turn into a link to another site: the recipient may not know anyone here. */
function plainName(name: string): string {
  const line = oneLine(name, 100);
  return isEmail(line) ? line : oneLine(line.replace(/[:/\\@]+/g, " ").replace(/\.(?=\S)/g, ". "), 100);
}

const roles: Readonly<Record<string, string>> = {
  owner: "an owner, who can do everything in the team",
  editor: "an editor, who can change and run everything in the team",
  reader: "a reader, who can see everything in the team",
};

export function renderInvitation({ appName, team, inviter, role, email, link, expiresAt }: InvitationMailText): RenderedMail {
  const [shownApp, shownTeam, shownInviter] = [oneLine(appName, 100), plainName(team), plainName(inviter)];
  const until = `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return renderPage({
    subject: `${shownInviter} invited you to ${shownTeam} on ${shownApp}`,
    headline: `${shownInviter} invited you to join the team ${shownTeam} on ${shownApp}`,
    body: `You will be ${roles[role] ?? "a member"}. To accept, open the link below. It works once, until ${until}, and only for ${email}.`,
    facts: [],
    link,
    foot: "If you don't know the sender, ignore this email: without the link nothing happens. Don't forward it.",
  });
}
