import { shellProgram } from "../../programs/shell-program.ts";

/**
 * The programs inside a pod (executors/programs/pod-*.sh). All of them are run by one static busybox, which the container
 * `collector` copies from its own image into a folder of the pod, so that a step needs no shell in its image. They speak through
 * named pipes and files of that folder, `control`:
 *
 *     control/public        for the steps to read: bin/busybox, and ends/exit-code-STEP of every step that is over
 *     control/step-N/go     the collector says `run` when it is the turn of step N
 *     control/step-N/alive  step N says `begun`, then `CODE KILLS` when it is over; the end of the pipe says that its container is over
 *     control/step-N/stop   seconds of grace: TERM to everything in the container of the step, KILL after them; again: with less grace
 *     control/step-N/out    standard output and standard error of the step, in the order of writing, which the collector reads to its end
 *     control/log/N.out     what came of it, up to the limit; what is beyond it is read and dropped, so that no step ever waits for a reader
 *     control/log/N.begun   when it began (seconds of uptime); N.code: its exit code and how often the kernel killed for want of memory
 *     control/over          all is over: nothing changes any more
 *     control/stop-request  seconds of grace, from the worker; taken away when it was heard
 *     control/breach        KiB in the scratch folder and those of the pipes, once they have more than they may
 *     control/wake          a line for whoever follows, when there is news that should not wait
 *
 * Pipes are opened in children only: an open waits for the other side, and the collector has to hear signals meanwhile.
 *
 * A step may write to its own pipes and put other things in their place. So what comes out of them is taken for numbers only if it
 * is some, and a step counts as over when nothing holds its end of `alive` any more, whatever was said there.
 */

/** The programs name them too: they are a part of what these say to each other, and reach a step's container before any value does. */
export const podFolders = {
  /** As the collector sees it. */
  control: "/run/millrace/control",
  /** Of `control`, as every step sees it. */
  shared: "/run/millrace/shared",
  own: "/run/millrace/own",
  /** Files of the Secrets. */
  fixed: "/run/millrace/task",
  task: "/task",
} as const;

/** Files of the Secrets beside those that the steps see (executors/steps/places.ts). */
export const scriptFiles = {
  collect: "millrace/collect",
  step: "millrace/step",
  launch: "millrace/launch",
  follow: "millrace/follow",
  plan: "millrace/plan",
  results: "millrace/results",
} as const;

/** Until the collector is ready for steps; the cluster starts the next container after it. */
export const readyCommand = ["sh", "-c", shellProgram("pod-ready")];

/** Arguments: blocks of 512 bytes that the output of all steps may have, KiB that the scratch folder and those of the pipes may have. */
export const collectScript = shellProgram("pod-collect");

/** Argument: the launch file of the step. */
export const stepScript = shellProgram("pod-step");

/** Argument: the launch file of the step. */
export const launchScript = shellProgram("pod-launch");

/** Arguments: the step to begin with, bytes of its output that are known, 0, bytes that one result may have. */
export const followScript = shellProgram("pod-follow");

/** Argument: seconds of grace. Returns when it was heard. */
export const stopScript = shellProgram("pod-stop");
