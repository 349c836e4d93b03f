import { oneLine, type RenderedMail, renderPage } from "./render-mail.ts";

/** @param publicUrl address of this instance, without a slash at the end. @param by name of the administrator who requested it */
export function renderTestMail({ appName, publicUrl, by }: { appName: string; publicUrl: string; by: string }): RenderedMail {
  const name = oneLine(appName, 100);
  return renderPage({
    subject: `Test message from ${name}`,
    headline: `${name} can send emails`,
    body: `${oneLine(by, 100)} sent this message to test the mail server. You don't have to do anything.`,
    facts: [],
    link: `${publicUrl}/`,
    foot: "Sent once, from the settings of this instance.",
  });
}
