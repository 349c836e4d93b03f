import Type, { type Static } from "typebox";
import { named, ref, stringEnum } from "../schema.ts";

/** The usual steps to set up a new instance, in the usual order. */
export const setupSteps = ["workflow", "executors", "mail", "signIn", "invite"] as const;
export type SetupStepName = (typeof setupSteps)[number];

export interface SetupStep extends Static<typeof setupStep> {}
export const setupStep = named(
  "SetupStep",
  Type.Object({
    name: stringEnum(setupSteps, {
      description:
        "workflow: the first one of your own; executors: scripts and images can run; mail: a mail server is configured; " +
        "signIn: single sign-on is configured; invite: a second person was invited",
    }),
    done: Type.Boolean(),
  }),
);

/** The checklist of the home page. */
export interface Setup extends Static<typeof setup> {}
export const setup = named(
  "Setup",
  Type.Object(
    {
      open: Type.Boolean({ description: "False once an administrator has dismissed it" }),
      steps: Type.Array(ref(setupStep)),
    },
    { examples: [{ open: true, steps: [{ name: "workflow", done: true }] }] },
  ),
);
