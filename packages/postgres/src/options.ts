import type { Place, Tls } from "./open-socket.ts";

/** Which server of several is meant, by what it can do now. */
export type TargetSession = "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby";

/** How one connection is made and used. */
export interface ConnectionOptions {
  /** Tried in this order. */
  places: readonly Place[];
  user: string;
  password: string;
  database: string;
  tls: Tls;
  target: TargetSession;
  /** Of the session, sent at its start (`application_name`, `statement_timeout` …). */
  settings: Readonly<Record<string, string>>;
  connectTimeoutMs: number;
  /** False: each statement is parsed anew, because the server behind a pooler may be another one each time. */
  prepares: boolean;
  /** Statements that may be on their way on one connection at a time. */
  mostUnderWay: number;
  onNotification?: (channel: string, payload: string) => void;
  /** Sees each statement that is sent. */
  onStatement?: (text: string, values: readonly unknown[]) => void;
  /** Hears of each answer. @param ms since the statement was written, including those before it on the same connection */
  onAnswer?: (ms: number) => void;
}

export interface PoolOptions extends ConnectionOptions {
  maxConnections: number;
  /** After so long without a statement a connection is closed; undefined: never. */
  idleTimeoutMs?: number | undefined;
  /** A connection that is older is closed when it is free; undefined: never. */
  lifetimeMs?: number | undefined;
  /** How long nothing connects after so many failures in a row. */
  pauseMs: (failures: number) => number;
  /** A connection was closed, or could not be made. */
  onClose?: () => void;
}
