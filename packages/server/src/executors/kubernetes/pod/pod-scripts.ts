import { shellProgram } from "../../programs/shell-program.ts";

/**
 * The programs inside a pod (executors/programs/pod/*.sh). All of them are run by one static busybox, which the container
 * `collector` copies from its own image into a folder of the pod, so that a step needs no shell in its image. They speak through
 * named pipes and files of that folder, `control`:
 *
 *     control/public        for the steps to read: NONCE/busybox, and ends/exit-code-STEP of every step that is over
 *     control/public/values what the step whose turn it is takes from earlier ones, a file each: 1, 2, …
 *     control/step-N/here   step N says that its container is made; no step begins before all are, so nothing of a step's runs while the node
 *                           looks up the places of mounts
 *     control/step-N/go     the collector says `run` when it is the turn of step N, and `on` when the pipes have no names any more
 *     control/step-N/alive  step N says `begun`, then what it holds (`held …`, programs/pod/watch.sh), then `end CODE KILLS`; the end of the
 *                           pipe says that its container is over
 *     control/step-N/stop   seconds of grace: TERM to everything in the container of the step, KILL after them; again: with less grace
 *     control/step-N/out    standard output and standard error of the step, in the order of writing, which the collector reads to its end
 *     control/log/N.turn    instead of what follows, of a step that does not begin: `skip` or `refuse VALUE WHY` (programs/pod/turn.sh)
 *     control/log/N.out     what came of it, up to the limit; what is beyond it is read and dropped, so that no step ever waits for a reader
 *     control/log/N.begun   when it began (seconds of uptime); N.code: its exit code and how often the kernel killed for want of memory
 *     control/sidecar-K     the same pipes for sidecar K, and `probe`: seconds that its readiness probe may take; `probed CODE` comes by `alive`.
 *                           Its output is log/sidecar-K.out, its end log/sidecar-K.code: exit code, kills, and `early` (no step could begin yet),
 *                           `late`, or `asked`; log/sidecar-K.unready says why no step begins
 *     control/kept-K        the pipes `stop` and `probe` of sidecar K, out of its reach
 *     control/over          all is over: nothing changes any more
 *     control/stop-request  seconds of grace, from the worker; taken away when it was heard
 *     control/held          what the running step has said that it holds, and when
 *     control/breach        `USED FILES GONE OTHER UNSEEN VOLUME`, once there is more than there may be: KiB and files in all; of the KiB those in
 *                           deleted open files, in volumes of the image, and those that the disk has lost where something can't be read
 *     control/wake          a line for anyone who follows, when there is news that should not wait
 *
 * The first process of a step's container, the wrapper, has what it needs open before the step's program begins. The step sees these
 * folders read-only, the pipes but for `out` are gone from them by then, and nobody can look into the wrapper: so it alone speaks
 * through `alive`. A step is over when nothing holds that pipe any more.
 */

/** The programs name them too: they are a part of what these say to each other, and reach a step's container before any value does. */
export const podFolders = {
  /** As the collector sees it. */
  control: "/run/millrace/control",
  /** Of `control`, as every step sees it. */
  shared: "/run/millrace/shared",
  own: "/run/millrace/own",
  /** As the collector sees it: the emptyDir volumes of the task, by their places among its volumes. */
  volumes: "/run/millrace/volumes",
  /** Files of the Secrets. */
  fixed: "/run/millrace/task",
  task: "/task",
} as const;

/** Files of the Secrets beside those that the steps see (executors/steps/places.ts). */
export const scriptFiles = {
  collect: "millrace/collect",
  follow: "millrace/follow",
  plan: "millrace/plan",
  results: "millrace/results",
  turn: "millrace/turn",
  /** Of a step that waits for values or has conditions, by its place from 0. */
  turnOf: (index: number): string => `millrace/turn-${index + 1}`,
  places: "millrace/places",
  /** A line for each sidecar (programs/pod/collect.sh). */
  sidecars: "millrace/sidecars",
  /** Asks a port of the pod. */
  probe: "millrace/probe",
  /** What is sent to the port of a sidecar, by its place from 0. */
  requestOf: (index: number): string => `millrace/request-${index + 1}`,
} as const;

/**
 * What runs in the containers of steps. In a pod the folder has another name, the nonce: an image can declare a volume over any path
 * that it knows, with files of its own in it.
 */
export const wrapperFolder = "wrapper";
export const wrapperFiles = {
  step: `${wrapperFolder}/step`,
  launch: `${wrapperFolder}/launch`,
  watch: `${wrapperFolder}/watch`,
  /** The program of steps/copy-output.ts in base64, by what `uname -m` says. */
  copyOutput: (machine: "x86_64" | "aarch64"): string => `${wrapperFolder}/copy-output-${machine}`,
  /** Values of a step, by its place from 0. */
  values: (index: number): string => `${wrapperFolder}/launch-${index + 1}`,
  /** Of a sidecar, and of the program of its readiness probe. */
  sidecarValues: (index: number): string => `${wrapperFolder}/sidecar-${index + 1}`,
  probeValues: (index: number): string => `${wrapperFolder}/probe-${index + 1}`,
} as const;

/** Until the collector is ready for steps; the cluster starts the next container after it. */
export const readyCommand = ["sh", "-c", shellProgram("pod/ready")];

/**
 * Arguments: blocks of 512 bytes that the output of all steps may have, KiB and files that the scratch folder may have, the nonce, and
 * `PLACE:KIB` for each volume with a size.
 */
export const collectScript = shellProgram("pod/collect");

/** Arguments: the folder of busybox, the values of the step, KiB and files that it may have, the values of a readiness probe. */
export const stepScript = shellProgram("pod/step");

/** Arguments: the values of the step, the folder of busybox. */
export const launchScript = shellProgram("pod/launch");

/** Run by the step script. */
export const watchScript = shellProgram("pod/watch");

/** Run by the collector. Arguments: the file of the step, a folder for its values. */
export const turnScript = shellProgram("pod/turn");

/** Arguments: the step to begin with, bytes of its output that are known, 0, bytes that one result may have, bytes known of each sidecar. */
export const followScript = shellProgram("pod/follow");

/** Argument: seconds of grace. Returns when it was heard. */
export const stopScript = shellProgram("pod/stop");
