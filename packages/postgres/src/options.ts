import type { Place, Tls } from "./open-socket.ts";

/** Which of several servers to use, by its current role. */
export type TargetSession = "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby";

/** How connections are opened and used. */
export interface ConnectionOptions {
  /** Tried in this order. */
  places: readonly Place[];
  user: string;
  password: string;
  database: string;
  tls: Tls;
  target: TargetSession;
  /** Session settings, sent at the start (`application_name`, `statement_timeout` …). */
  settings: Readonly<Record<string, string>>;
  connectTimeoutMs: number;
  /** False: each statement is parsed every time, because a pooler may assign another server process each time. */
  prepares: boolean;
  /** The most statements that may be in progress on one connection. */
  mostInProgress: number;
  onNotification?: (channel: string, payload: string) => void;
  /** Called for each statement that is sent. */
  onStatement?: (text: string, values: readonly unknown[]) => void;
  /** Called for each response. @param ms since the statement was written; this includes statements before it on the same connection */
  onAnswer?: (ms: number) => void;
}

export interface PoolOptions extends ConnectionOptions {
  maxConnections: number;
  /** A connection is closed after this time without a statement; undefined: never. */
  idleTimeoutMs?: number | undefined;
  /** An older connection is closed once it is free; undefined: never. */
  lifetimeMs?: number | undefined;
  /** How long the pool pauses before it connects again, by the number of failures in a row. */
  pauseMs: (failures: number) => number;
  /** A connection was closed, or could not be opened. */
  onClose?: () => void;
}
