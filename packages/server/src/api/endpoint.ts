import type { ApplyKind } from "@millrace/contract/apply.ts";
import type { PermissionAction, PermissionResource } from "@millrace/contract/permission.ts";
import type { StorageFolder } from "@millrace/contract/settings/storage.ts";
import type { Static, TSchema } from "typebox";
import type { AppError } from "../base/error/app-error.ts";
import type { PlatformFetch } from "../base/network/platform-fetch.ts";
import type { BackgroundJobs } from "../base/process/background-jobs.ts";
import type { ByteBudget } from "../base/process/byte-budget.ts";
import type { EventBus } from "../base/process/event-bus.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import type { PasswordCost } from "../base/secret/password-hash.ts";
import type { ExternalParts } from "../domain/external/external-parts.ts";
import type { LogStore } from "../domain/log/log-store.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import type { CodehostClients } from "../integrations/codehost/codehost-client.ts";
import type { IdentityProvider } from "../integrations/sign-in/identity-provider.ts";
import type { AuditedObject, AuditRecord } from "../store/audit/audit.ts";
import type { Database, Queryable, Transaction } from "../store/database/database.ts";
import type { DatabaseOutage } from "../store/database/database-outage.ts";
import type { AnswerToKeep } from "../store/database/idempotency.ts";

/** The caller, resolved by http/admit from the credential; `permissions` are those that apply now. */
export interface Principal {
  kind: "global" | "team" | "workflow" | "user" | "session" | "integration";
  /** Stable text for votes, audit and idempotency: `user:<id>` or `token:<id>`. */
  id: string;
  name: string;
  email?: string;
  userId?: string;
  tokenId?: string;
  /** Set for team and workflow tokens. */
  teamId?: string;
  workflowId?: string;
  workflowName?: string;
  /** The limit of the token, if it permits less than its user may do; already applied to the permissions below. */
  limit?: string[];
  /** External tasks that a token may claim, by name; `*`: all. Absent: none. */
  tasks?: readonly string[];
  /** When the credential ends, ISO 8601. */
  expiresAt?: string;
  /** Instance-wide permissions, `resource/action` with `**` wildcards. */
  permissions: string[];
  /** Permissions in each team the principal belongs to, by team id. */
  teams: ReadonlyMap<string, string[]>;
}

/**
 * What an endpoint requires. `open`: nothing (health, document, activate …). `signed-in`: any credential. Otherwise `resource/action`,
 * checked in the team of the path if the path has `:team`, else instance-wide.
 */
export type Permission = "open" | "signed-in" | `${PermissionResource}/${PermissionAction}`;

/** Who may sign a request instead of sending a credential. */
export type Signer = "chat" | "codehost" | "webhook" | "callback";

/** The team of the path, resolved from name or id and checked: a team that the caller can't see is a 404. */
export interface TeamScope {
  id: string;
  name: string;
  displayName: string;
  status: "active" | "inactive";
}

/** How people sign in; docs/sign-in.md. */
export interface SignInRules {
  /** URL at which browsers reach the service, without a trailing slash. */
  publicUrl?: string | undefined;
  /** Maximum age of a session. */
  sessionSeconds: number;
  /** A session without requests ends earlier, after this time. */
  idleSeconds: number;
  /** Email addresses, lower case, of people who become administrators when they sign in. */
  administrators: readonly string[];
  /** In lower case; people of the identity provider with addresses in other domains are refused. Empty: all are accepted. */
  emailDomains: readonly string[];
  /** An address counts as verified if the identity provider doesn't say. */
  trustsEmails: boolean;
  /** A proxy identifies callers. */
  isProxyOn: boolean;
  isAuthOff: boolean;
  /** Absent unless one is configured. */
  identityProvider?: IdentityProvider | undefined;
}

/** The cookies of the caller's browser. Those that are set are HttpOnly, SameSite=Lax, for the whole host, and Secure if possible. */
export interface Cookies {
  read(name: string): string | undefined;
  write(name: string, value: string, maxAgeSeconds: number): void;
  remove(name: string): void;
}

/** Whether an executor works, and how it isolates steps. */
export interface ExecutorState {
  kind: string;
  available: boolean;
  isolation: string;
  /** Details, or why it is off: may contain names of files and addresses of the machine. */
  detail: string;
  /** The fault of the machine for which it is off, worded for all users. */
  fault?: string;
}

export interface Notice {
  title: string;
  /** Sentences; the last one without a full stop. */
  text: string;
}

export interface Services {
  /** Called after commit to say that a run, a queue or a timer has changed; only a notification. */
  wake(news: { teamId: string }): void;
  /** A sentence while a role of this process is not ready, for `/ready`. */
  whyNotReady?(): string | undefined;
  /** The current executors of this process, and its folders that grow; absent if it has none. */
  executors?(): ExecutorState[];
  readFolders?(): Promise<StorageFolder[]>;
  /** What all users of the instance should know, and whether scripts run without a sandbox for a single person; both may change. */
  notices?(): Notice[];
  isForOnePerson?(): boolean;
  /** The dependencies of the rules about runs. */
  runs: RunContext;
  bus: EventBus;
  /** Clients of the code host (as its app) and of the chat platform. */
  codehost: CodehostClients;
  platformFetch: PlatformFetch;
  /** Defaults where it is left out. */
  signIn?: SignInRules;
  /** Of the hashes that are made: by default that of production, which only tests lower. */
  passwordCost?: PasswordCost;
  /** Where logs are that are no longer in the database; absent if not configured. */
  logStore?: LogStore;
  /** For the requests of external workers; set if all endpoints are served. */
  external?: ExternalParts;
  /** Whether the database accepts writes now. */
  outage?: DatabaseOutage;
  /** For work after a response was sent; set by the server. */
  backgroundJobs?: BackgroundJobs;
  /** Memory for what streams have read and their clients have not received yet; set by the server. */
  readers?: ByteBudget;
  /** Aborted when the server begins to close: streaming responses then end. */
  stopping?: AbortSignal;
  [name: string]: unknown;
}

export interface Context<P, Q, B, Db> {
  db: Db;
  principal: Principal;
  /** For long responses: the current caller, at most two seconds old; undefined if they would no longer be admitted. */
  principalNow(): Promise<Principal | undefined>;
  /** The caller's rights after a wait for a lock under which they change, such as that of a team. @throws AppError without them */
  principalUnderLock(): Promise<Principal>;
  /** Only where the path has `:team`. */
  team: TeamScope;
  params: P;
  query: Q;
  body: B;
  /** Raw text of the body, for documents that are stored unchanged and for YAML. */
  rawBody: string;
  /** The original bytes of the body, for signatures. */
  rawBytes: Uint8Array;
  /** Of the body, in lower case, without parameters: `application/x-yaml` for each name of YAML, and for JSON in it `application/json`. */
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
  requestId: string;
  /** The parent span of runs that the request starts: the request itself, or its caller; undefined if there is no trace. */
  traceparent: string | undefined;
  /** The address of the client: the peer, or what trusted proxies report. */
  clientAddress: string;
  cookies(): Cookies;
  /** A signal that is aborted when the connection of the caller is closed: nobody waits for the answer any more. */
  closed(): AbortSignal;
  services: Services;
  /** Encrypts and decrypts secrets. */
  keyring: Keyring;
  /** Names the object for the audit record of this request (write endpoints). */
  audit(object: AuditedObject): void;
  /** Like `audit`, for a handler that writes the record itself, in the same statement as the change. */
  auditRecord(object: AuditedObject): AuditRecord;
  /** Declares that a write endpoint has changed nothing this time, so that no record is written. */
  auditNothing(): void;
  /** The response in the form in which it is stored under the Idempotency-Key; only with `keepsAnswer`. */
  keep?: ((body: unknown) => AnswerToKeep) | undefined;
  /** Runs after the transaction is committed, and not at all if it fails: for wakes. */
  afterCommit(effect: () => void): void;
}

/** What a handler returns: a body (200), nothing (204), or a reply with its own headers. */
export interface Reply {
  reply: true;
  status?: number;
  headers?: Record<string, string>;
  /** A value is sent as JSON; a string with a content-type header unchanged; a stream is piped. */
  body?: unknown;
  /** The refusal that the response is a page about: for the log, and the record of failed sign-ins. */
  refusal?: AppError;
  /** The response is this error, although the request's writes are committed. */
  committed?: AppError;
  /** Of a stream: whether that caller may continue reading, or is cut off within two seconds. Left out: whom the endpoint lets in. */
  staysOpenFor?(principal: Principal): boolean;
}

/** A reply with its own status or headers: `return reply({ headers: { etag }, body })`. */
export function reply(parts: Omit<Reply, "reply">): Reply {
  return { reply: true, ...parts };
}

type Value<S> = S extends TSchema ? Static<S> : unknown;

/** See `transaction` of an endpoint. */
export type TransactionKind = "none" | "read" | "write" | "when-needed";

interface Handles {
  none: Database;
  read: Transaction;
  write: Transaction;
  "when-needed": Queryable;
}

export interface EndpointDefinition<P, Q, B, T extends TransactionKind> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Fastify style: `/api/v2/team/:team/workflow/:workflow/submit`. */
  path: string;
  /** In the API document, from which generated clients name their functions; set by `http/routes.ts`. */
  operationId?: string;
  /** One line, an imperative sentence: the summary in the API document. */
  summary: string;
  description?: string;
  /** One of `http/document/openapi.ts`. */
  tag: string;
  permission: Permission;
  /** A caller with this lesser permission is admitted, too: the handler itself refuses the part that needs `permission`. */
  entrance?: Permission;
  /**
   * The transaction of the handler. `none`: it manages its own statements (streams, several transactions). `when-needed`: it writes, and
   * gets the pool, except for a request with an Idempotency-Key, which runs in a transaction from the start unless `keepsAnswer`; it calls
   * functions that join that one or open their own (`inTransaction`). For endpoints that mostly need one statement, or call other systems.
   */
  transaction: T;
  /** Its requests don't change anything that pages show, unless the handler says so: the stream of changes is not notified. */
  isNoChange?: boolean;
  /** Supports Idempotency-Key (submit, event, webhook, tries). */
  idempotent?: boolean;
  /** With an Idempotency-Key, the handler stores its response by `keep`, in the statement of its change: it needs no transaction. */
  keepsAnswer?: boolean;
  /** The handler limits a workflow token to its workflow. Otherwise one is admitted only if the path names it (`:workflow`). */
  keepsToWorkflow?: boolean;
  /** It changes rights (teams, members, users, tokens), so the cached rights are dropped after it. */
  changesRights?: boolean;
  /** Refused from pages of other origins even without a credential: signing in and out. */
  sameOriginOnly?: boolean;
  /** The success response is a 302. */
  redirects?: boolean;
  /** The credential may also come as `?access_token=` (inbound events, log streams). */
  tokenInQuery?: boolean;
  /**
   * Who signed a request with these headers and path parameters: it then needs no credential. The handler itself must check the signature
   * before anything else; everything it does for a caller of the kind `integration` relies on that.
   */
  signedBy?(headers: Readonly<Record<string, unknown>>, parameter: (name: string) => string | undefined): Signer | undefined;
  params?: P;
  query?: Q;
  /** Request headers that the API document names. Without a required one the request is refused (400); the handler checks their values. */
  headers?: TSchema;
  body?: B;
  /** The kind of its body as a document of a set; the body may contain it (core/apply/own-document.ts). */
  documentKinds?: readonly ApplyKind[];
  /** Converts JSON of older clients to the present form (present-body.ts), before it is validated. */
  presentBody?(body: unknown): unknown;
  /** Default: JSON, and the same as YAML (`http/input/read-input.ts`). */
  consumes?: readonly string[];
  /** If `consumes` names YAML: whether the handler reads this text itself, from `rawBody`. Otherwise it becomes the JSON body. */
  readsYaml?(text: string): boolean;
  produces?: readonly string[];
  /** A missing body is allowed. */
  bodyOptional?: boolean;
  /** The body in the API document, if more than the published interface is accepted: other spellings, or no body at all. */
  documentedBody?: { schema?: TSchema; isRequired?: boolean };
  /** Largest body in bytes, if the instance's default (1 MiB) is too small. */
  bodyLimit?: number;
  /** For success: the body schema, or null for 204. */
  response: TSchema | null;
  handle(context: Context<Value<P>, Value<Q>, Value<B>, Handles[T]>): Promise<unknown>;
  /**
   * Runs after the handler's work is committed, or was found stored under the same Idempotency-Key (`isStored`), and returns what is sent
   * instead of the handler's body, which it gets, if the request wants it (default: always); undefined: nothing else is sent. Outside of
   * transactions; its result is not stored.
   */
  beforeAnswer?(context: Context<Value<P>, Value<Q>, Value<B>, Database>, body: unknown, isStored: boolean): Promise<unknown>;
  wantsBeforeAnswer?(query: Value<Q>): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of endpoints of any shape
export type Endpoint = EndpointDefinition<any, any, any, any>;

/** An endpoint is a value: http/serve-endpoint.ts serves it, and the API document is generated from the same value. */
export function defineEndpoint<const P extends TSchema, const Q extends TSchema, const B extends TSchema, const T extends TransactionKind>(
  definition: EndpointDefinition<P, Q, B, T>,
): Endpoint {
  return definition as Endpoint;
}
