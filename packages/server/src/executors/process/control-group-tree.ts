/** Our own group of one tree, and what it can do. */
export interface ControlGroupTree {
  folder: string;
  version: 1 | 2;
  memory: boolean;
  pids: boolean;
  /** Processor time is shared by weights. */
  cpu: boolean;
}
