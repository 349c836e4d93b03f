import { shellProgram } from "../../programs/shell-program.ts";

/**
 * The programs inside a pod (executors/programs/pod/*.sh). All of them are run by one static busybox, which the container `collector`
 * copies from its own image into a folder of the pod, so that a step needs no shell in its image. They communicate through named pipes and
 * files of the folder `control`:
 *
 *     control/public        for the steps to read: NONCE/busybox, and ends/exit-code-STEP of every step that has ended
 *     control/public/values what the current step takes from earlier ones, a file each: 1, 2, …
 *     control/step-N/here   step N reports that its container was created; no step starts before all were, so no program of a step runs
 *                           while the node looks up the paths of mounts
 *     control/step-N/go     the collector writes `run` when it is the turn of step N, and `on` once the names of the pipes are removed
 *     control/step-N/alive  step N writes `begun`, then what it holds (`held …`, programs/pod/watch.sh), then `end CODE KILLS`; the end of
 *                           the pipe means that its container has ended
 *     control/step-N/stop   seconds of grace: TERM to everything in the container of the step, KILL after them; again: with less grace
 *     control/step-N/out    standard output and standard error of the step, in the order of writing, which the collector reads to its end
 *     control/log/N.turn    instead of what follows, for a step that does not start: `skip` or `refuse VALUE WHY` (programs/pod/turn.sh)
 *     control/log/N.out     its output, up to the limit; what is beyond it is read and dropped, so that no step ever waits for a reader
 *     control/log/N.begun   when it started (seconds of uptime); N.code: its exit code and how often the kernel killed for lack of memory
 *     control/sidecar-K     the same pipes for sidecar K, and `probe`: seconds that its readiness probe may take; `probed CODE` comes by
 *                           `alive`. Its output is log/sidecar-K.out, its end log/sidecar-K.code: exit code, kills, and `early` (no step
 *                           could start yet), `late`, or `asked`; log/sidecar-K.unready says why no step starts
 *     control/kept-K        the pipes `stop` and `probe` of sidecar K, out of its reach
 *     control/over          everything has ended: nothing changes any more
 *     control/stop-request  seconds of grace, from the worker; removed when it was read
 *     control/held          what the running step has reported that it holds, and when
 *     control/breach        `USED FILES GONE OTHER UNSEEN VOLUME`, once a limit is exceeded: KiB and files in total; of the KiB those in
 *                           deleted open files, in volumes of the image, and those that the disk has lost where something can't be read
 *     control/wake          a line for every follow script, when something changed that should not wait
 *
 * The first process of a step's container, the wrapper, opens what it needs before the step's program starts. The step sees these folders
 * read-only, all pipes except `out` have lost their names by then, and nothing can look into the wrapper: so only the wrapper can write to
 * `alive`. A step has ended when no process holds that pipe any more.
 */

/**
 * The programs contain these paths too: they are part of the protocol between them, and a step's container needs them before it gets any
 * value.
 */
export const podFolders = {
  /** Path in the collector. */
  control: "/run/millrace/control",
  /** The parts of `control` that a step sees, at the same paths for every step. */
  shared: "/run/millrace/shared",
  own: "/run/millrace/own",
  /** Path in the collector: the emptyDir volumes of the task, by their numbers among its volumes. */
  volumes: "/run/millrace/volumes",
  /** Files of the Secrets. */
  fixed: "/run/millrace/task",
  task: "/task",
} as const;

/** Files of the Secrets, in addition to those that the steps see (executors/steps/places.ts). */
export const scriptFiles = {
  collect: "millrace/collect",
  follow: "millrace/follow",
  plan: "millrace/plan",
  results: "millrace/results",
  turn: "millrace/turn",
  /** For a step that waits for values or has conditions, by its index from 0. */
  turnOf: (index: number): string => `millrace/turn-${index + 1}`,
  places: "millrace/places",
  /** One line per sidecar (programs/pod/collect.sh). */
  sidecars: "millrace/sidecars",
  /** The program that probes a port of the pod. */
  probe: "millrace/probe",
  /** What is sent to the port of a sidecar, by its index from 0. */
  requestOf: (index: number): string => `millrace/request-${index + 1}`,
} as const;

/**
 * What runs in the containers of steps. In a pod the folder has another, secret name, the nonce: an image can declare a volume at any path
 * that it knows, with files of its own in it.
 */
export const wrapperFolder = "wrapper";
export const wrapperFiles = {
  step: `${wrapperFolder}/step`,
  launch: `${wrapperFolder}/launch`,
  watch: `${wrapperFolder}/watch`,
  /** The program of steps/copy-output.ts in base64, by the output of `uname -m`. */
  copyOutput: (machine: "x86_64" | "aarch64"): string => `${wrapperFolder}/copy-output-${machine}`,
  /** Values of a step, by its index from 0. */
  values: (index: number): string => `${wrapperFolder}/launch-${index + 1}`,
  /** Values of a sidecar, and of the program of its readiness probe. */
  sidecarValues: (index: number): string => `${wrapperFolder}/sidecar-${index + 1}`,
  probeValues: (index: number): string => `${wrapperFolder}/probe-${index + 1}`,
} as const;

/** Waits until the collector is ready for steps; the cluster starts the next container after that. */
export const readyCommand = ["sh", "-c", shellProgram("pod/ready")];

/**
 * Arguments: the limit for the output of all steps in blocks of 512 bytes, the limits of the scratch folder in KiB and in files, the nonce,
 * and `PLACE:KIB` for each volume with a size.
 */
export const collectScript = shellProgram("pod/collect");

/** Arguments: the folder of busybox, the values of the step, its limits in KiB and in files, the values of a readiness probe. */
export const stepScript = shellProgram("pod/step");

/** Arguments: the values of the step, the folder of busybox. */
export const launchScript = shellProgram("pod/launch");

/** Run by the step script. */
export const watchScript = shellProgram("pod/watch");

/** Run by the collector. Arguments: the file of the step, a folder for its values. */
export const turnScript = shellProgram("pod/turn");

/**
 * Arguments: the step to start with, bytes of its output that are known, 0, the limit of one result in bytes, bytes known of each sidecar.
 */
export const followScript = shellProgram("pod/follow");

/** Argument: seconds of grace. Returns when the collector has received it. */
export const stopScript = shellProgram("pod/stop");
