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
import type { ExternalParts } from "../domain/external/external-parts.ts";
import type { LogStore } from "../domain/log/log-store.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import type { CodehostClients } from "../integrations/codehost/codehost-client.ts";
import type { IdentityProvider } from "../integrations/sign-in/identity-provider.ts";
import type { AuditedObject, AuditRecord } from "../store/audit/audit.ts";
import type { Database, Queryable, Transaction } from "../store/database/database.ts";
import type { DatabaseOutage } from "../store/database/database-outage.ts";

/** Who calls. Resolved by http/auth.ts from the credential; `permissions` are already those in force now. */
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
  /** What the token itself was narrowed to, where that is less than its user may; already taken into account below. */
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
 * What an endpoint demands. `open`: nothing (health, document, activate …). `signed-in`: any credential.
 * Otherwise `resource/action`, checked in the team of the path when the path has `:team`, else instance-wide.
 */
export type Permission = "open" | "signed-in" | `${PermissionResource}/${PermissionAction}`;

/** Who may sign a request instead of sending a credential. */
export type Signer = "chat" | "codehost" | "webhook" | "callback";

/** The team of the path, resolved from name or id and checked: a team the caller cannot see is a 404. */
export interface TeamScope {
  id: string;
  name: string;
  displayName: string;
  status: "active" | "inactive";
}

/** How people get in; docs/sign-in.md. */
export interface SignInRules {
  /** Under which browsers reach the service, without a slash at its end. */
  publicUrl?: string | undefined;
  /** A session ends so long after it began. */
  sessionSeconds: number;
  /** It ends earlier without use for so long. */
  idleSeconds: number;
  /** Email addresses, lower case, of people who become administrators when they sign in. */
  administrators: readonly string[];
  /** Lower case; the identity provider's people of other domains stay out. Empty: all come in. */
  emailDomains: readonly string[];
  /** An address counts as verified when the identity provider says nothing about it. */
  trustsEmails: boolean;
  /** A proxy says who calls. */
  isProxyOn: boolean;
  isAuthOff: boolean;
  /** Absent unless one is configured. */
  identityProvider?: IdentityProvider | undefined;
}

/** The cookies of the caller's browser. What is written is HttpOnly, SameSite=Lax, for the whole host, and Secure where it can be. */
export interface Cookies {
  read(name: string): string | undefined;
  write(name: string, value: string, maxAgeSeconds: number): void;
  remove(name: string): void;
}

/** Whether an executor works, and how it holds what it runs. */
export interface ExecutorState {
  kind: string;
  available: boolean;
  isolation: string;
  /** More about that, or why it is off: it may name files and addresses of the machine. */
  detail: string;
  /** A fault of the machine for which it is off, in words for everyone. */
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
  /** A sentence while some role of this process is not up, for `/ready`. */
  whyNotReady?(): string | undefined;
  /** The executors of this process, and its folders that grow, as they are at the moment; absent: it has none. */
  executors?(): ExecutorState[];
  readFolders?(): Promise<StorageFolder[]>;
  /** What everyone who uses the instance should know, and whether scripts run without a sandbox for one person only; both may change. */
  notices?(): Notice[];
  isForOnePerson?(): boolean;
  /** What the rules about runs need. */
  runs: RunContext;
  bus: EventBus;
  /** Calls to the codehost as its app, and to the chat platform. */
  codehost: CodehostClients;
  platformFetch: PlatformFetch;
  /** Defaults where it is left out. */
  signIn?: SignInRules;
  /** Where logs are that are no longer in the database; absent: none is configured. */
  logStore?: LogStore;
  /** For the requests of external workers; set where all endpoints are served. */
  external?: ExternalParts;
  /** Whether the database takes changes now. */
  outage?: DatabaseOutage;
  /** For what is to be done after an answer has gone out; set by the server. */
  backgroundJobs?: BackgroundJobs;
  /** Memory for what streams have read and their readers have not yet taken; set by the server. */
  readers?: ByteBudget;
  /** Aborted when the server begins to close: answers that stream come to their end. */
  stopping?: AbortSignal;
  [name: string]: unknown;
}

export interface Context<P, Q, B, Db> {
  db: Db;
  principal: Principal;
  /** For long answers: the caller as of now, at most two seconds old; undefined once they would no longer be let in. */
  principalNow(): Promise<Principal | undefined>;
  /**
   * For a write that waits for a lock under which rights change, such as that of a team: the caller as they are after the wait.
   * @throws AppError when they would not be let in any more
   */
  principalUnderLock(): Promise<Principal>;
  /** Only where the path has `:team`. */
  team: TeamScope;
  params: P;
  query: Q;
  body: B;
  /** Raw text of the body, for documents kept to the letter and for YAML. */
  rawBody: string;
  /** The bytes of the body as they came, for signatures. */
  rawBytes: Uint8Array;
  /**
   * Of the body, in lower case and without parameters; the spellings of YAML are `application/x-yaml`, and JSON that was sent as YAML is
   * `application/json`. Empty without a body.
   */
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
  requestId: string;
  /** What runs that the request starts have above them in their trace: the request itself, or its caller; undefined: there is no trace. */
  traceparent: string | undefined;
  /** From where the request comes: the peer, or what trusted proxies say. */
  clientAddress: string;
  cookies: Cookies;
  /** A signal that is aborted when the connection of the caller is closed: nobody waits for the answer any more. */
  closed(): AbortSignal;
  services: Services;
  /** Seals and opens secrets. */
  keyring: Keyring;
  /** Names the object for the audit record of this request (write endpoints). */
  audit(object: AuditedObject): void;
  /** As `audit`, for a handler that itself writes the record, in the statement that writes what it tells of. */
  auditRecord(object: AuditedObject): AuditRecord;
  /** Says that a write endpoint has changed nothing this time, so that no record is written. */
  auditNothing(): void;
  /** Runs once the transaction is committed, and not at all when it fails: for wakes. */
  afterCommit(effect: () => void): void;
}

/** What a handler returns: a body (200), nothing (204), or a reply with its own headers. */
export interface Reply {
  reply: true;
  status?: number;
  headers?: Record<string, string>;
  /** A value is sent as JSON; a string with a content-type header as it is; a stream is piped. */
  body?: unknown;
  /** What the answer is a page about: for the log, and the record of failed sign-ins. */
  refusal?: AppError;
  /** The answer is this error, although what the request has written stays. */
  committed?: AppError;
  /** Of a stream: whether that caller may continue reading, or is cut off within two seconds. Left out: whom the endpoint lets in. */
  goesOnFor?(principal: Principal): boolean;
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
  /** In the API document, where generated clients name their functions by it; given by `http/routes.ts`. */
  operationId?: string;
  /** One line, an imperative sentence: the summary of the API document. */
  summary: string;
  description?: string;
  /** One of `http/document/openapi.ts`. */
  tag: string;
  permission: Permission;
  /**
   * A caller with this lesser permission gets in, too: part of what the endpoint does needs another permission than `permission`, and the
   * handler itself refuses the rest.
   */
  entrance?: Permission;
  /**
   * In which transaction the handler runs. `none`: it manages its own statements (streams, several transactions). `when-needed`: it writes,
   * and gets the pool, except for a request with an Idempotency-Key, which runs in a transaction from the start; it calls functions that
   * join that one or open their own (`inTransaction`). For endpoints that mostly need one statement, or that ask other systems first.
   */
  transaction: T;
  /** No request of it is a change of something that pages show, unless the handler says so: the stream of changes is not told of it. */
  isNoChange?: boolean;
  /** Idempotency-Key honoured (submit, event, webhook, tries). */
  idempotent?: boolean;
  /** The handler keeps a workflow token to its workflow (`principal.workflowId`). Otherwise one enters only if the path names it (`:workflow`). */
  keepsToWorkflow?: boolean;
  /** What it changes decides who may do what (teams, members, users, tokens): what sign-in keeps in memory is dropped after it. */
  changesRights?: boolean;
  /** Refused from pages of other origins even without a credential: signing in and out. */
  sameOriginOnly?: boolean;
  /** Success is a 302. */
  redirects?: boolean;
  /** Credential may also come as `?access_token=` (inbound events, log streams). */
  tokenInQuery?: boolean;
  /**
   * Whose signature a request with these headers and parameters of its address carries: it needs no credential then. The handler itself
   * checks the signature before anything else, and whatever it does for a caller of the kind `integration` rests on that.
   */
  signedBy?(headers: Readonly<Record<string, unknown>>, parameter: (name: string) => string | undefined): Signer | undefined;
  params?: P;
  query?: Q;
  /** Request headers that the API document names. Without a required one nobody gets in (400); their values are for the handler to check. */
  headers?: TSchema;
  body?: B;
  /** What its body is as a document of a set; the body may say so (core/apply/own-document.ts). */
  documentKinds?: readonly ApplyKind[];
  /** Puts JSON that older clients write into its present form (present-body.ts), before it is checked. */
  presentBody?(body: unknown): unknown;
  /** Default: JSON, and the same as YAML (`http/input/read-input.ts`). */
  consumes?: readonly string[];
  /** Where `consumes` names YAML: whether the handler reads this text itself, from `rawBody`. What it doesn't is the JSON body as YAML. */
  readsYaml?(text: string): boolean;
  produces?: readonly string[];
  /** A missing body is allowed. */
  bodyOptional?: boolean;
  /** What the API document says of the body where more than the interface promises is taken: other spellings, or no body at all. */
  documentedBody?: { schema?: TSchema; isRequired?: boolean };
  /** Largest body in bytes, where the instance's default (1 MiB) is too small. */
  bodyLimit?: number;
  /** Success: the body schema, or null for 204. */
  response: TSchema | null;
  handle(context: Context<Value<P>, Value<Q>, Value<B>, Handles[T]>): Promise<unknown>;
  /**
   * Runs once what the handler did is committed, or was answered to the same Idempotency-Key before, and answers what is sent instead of
   * the handler's body, which it is given, if the request wants it (default: each). Outside of transactions; nothing of it is kept.
   */
  beforeAnswer?(context: Context<Value<P>, Value<Q>, Value<B>, Database>, body: unknown): Promise<unknown>;
  wantsBeforeAnswer?(query: Value<Q>): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of endpoints of any shape
export type Endpoint = EndpointDefinition<any, any, any, any>;

/** An endpoint is a value; http/serve-endpoint.ts gives it life, and the API document is made from the same value. */
export function defineEndpoint<const P extends TSchema, const Q extends TSchema, const B extends TSchema, const T extends TransactionKind>(
  definition: EndpointDefinition<P, Q, B, T>,
): Endpoint {
  return definition as Endpoint;
}
