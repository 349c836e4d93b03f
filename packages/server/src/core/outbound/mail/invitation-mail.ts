import { isEmail } from "../../../base/text/email.ts";
import { oneLine, type RenderedMail, renderPage } from "./render-mail.ts";

/** What an email about an invitation says. Names are what others have written. */
export interface InvitationMailText {
  appName: string;
  team: string;
  inviter: string;
  role: string;
  /** Of the person who is invited. */
  email: string;
  /** Works once. */
  link: string;
  expiresAt: Date;
}

/** On one line, and nothing that a mail program would turn into a link to somewhere else: it goes to people who know nobody here. */
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
    body: `You would be ${roles[role] ?? "a member"}. To accept, open the link below. It works once, until ${until}, and only for ${email}.`,
    facts: [],
    link,
    foot: "If you don't know the sender, ignore this email: without the link nothing happens. Don't forward it.",
  });
}
