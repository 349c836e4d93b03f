import { translate } from "../language.ts";

export const t = translate("setup", {
  setupChecklist: {
    title: "Set up this instance",
    progress: "{count, number} of {total, number} done",
    done: "Done",
    open: "To do",
    dismiss: "Dismiss checklist",
    close: "Close checklist",
    workflow: "Create a workflow",
    workflowHelp: "From a template or from scratch.",
    seeExamples: "See the examples",
    executors: "Check that scripts and images can run",
    executorsHelp: "Workers shows which executors work, and how to fix the others.",
    mail: "Connect a mail server",
    mailHelp: "For notifications and invitations.",
    testMail: "Send a test message",
    signIn: "Set up single sign-on",
    signInHelp: "The handbook shows which settings your identity provider needs.",
    invite: "Invite your team",
    inviteHelp: "Each person gets a link that works once.",
  },
});
