/** One finding about the machine or the settings. */
export interface Check {
  name: string;
  /** With a `problem` the service does not start, or can't do what it is configured for. A `warning` is worth a look. */
  status: "ok" | "warning" | "problem";
  /** One line: what was found, with its value. */
  message: string;
  /** What to do. */
  remedy?: string;
}
