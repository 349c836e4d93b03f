/**
 * The rooms of packages/server/src and which of them each may import. rooms.test.ts checks the code against this table;
 * ARCHITECTURE.md explains it. Change it only together with an ADR.
 */
export interface Room {
  /** What belongs here, in one sentence. */
  holds: string;
  /** Rooms whose files may be imported, and single files (`engine/executor.ts`). A room may always import itself. */
  mayImport: readonly string[];
  /** Of these only types may be imported. */
  typesOnly?: readonly string[];
  /** Packages from outside, `node:` for the whole standard library or `node:crypto` for a part. `*`: any. */
  packages: readonly string[];
}

export const rooms: Readonly<Record<string, Room>> = {
  base: {
    holds: "what would make sense in a different product: ids, durations, logging, metrics, traces, errors",
    mayImport: [],
    packages: ["node:", "@millrace/contract/errors.ts", "lru-cache", "pino", "prom-client", "re2js", "@opentelemetry"],
  },
  core: {
    holds: "the rules as pure functions: values in, values out; no files, network, database, clock or chance",
    mayImport: ["base"],
    packages: ["node:buffer", "node:util", "@millrace/contract", "re2js", "jsonpath-rfc9535", "yaml", "typebox", "diff", "marked"],
  },
  policy: {
    holds: "may this principal do this? Pure.",
    mayImport: ["core", "base"],
    typesOnly: ["api/endpoint.ts"],
    packages: ["@millrace/contract"],
  },
  store: {
    holds: "the only SQL: one file an aggregate, one function a statement, no decisions",
    mayImport: ["core", "base"],
    packages: ["node:", "@millrace/contract", "@millrace/postgres"],
  },
  domain: {
    holds: "the rules that need state: one use case a file, inside the caller's transaction, no network",
    mayImport: ["store", "core", "base"],
    packages: ["node:crypto", "@millrace/contract", "yaml", "typebox"],
  },
  engine: {
    holds: "claims, dispatch to executors, what advances runs",
    mayImport: ["domain", "store", "core", "base"],
    packages: ["node:", "@millrace/contract"],
  },
  archives: {
    holds: "archives of workspaces and logs, in a folder or a bucket",
    mayImport: ["engine/workspace-store.ts", "base"],
    typesOnly: ["config/parse-value.ts"],
    packages: ["node:", "tar-stream", "@aws-sdk/client-s3", "@aws-sdk/lib-storage"],
  },
  tasks: {
    holds: "the built-in task types: each returns an outcome, none writes",
    mayImport: ["core", "base"],
    packages: ["@millrace/contract", "typebox", "jsonpath-rfc9535"],
  },
  executors: {
    holds: "what runs the steps of a task: it reports, the engine writes",
    mayImport: ["core", "base"],
    typesOnly: ["engine/executor.ts"],
    packages: ["node:", "@millrace/contract", "@kubernetes/client-node", "dockerode", "tar-stream", "yaml"],
  },
  channels: {
    holds: "what carries events to the outside: it reports, the engine writes",
    mayImport: ["integrations", "core", "base"],
    typesOnly: ["engine/channel.ts"],
    packages: ["node:", "@millrace/contract"],
  },
  services: {
    holds: "background loops; each starts, stops and ticks the same way",
    mayImport: ["engine", "domain", "store", "core", "base"],
    packages: ["node:", "@millrace/contract"],
  },
  integrations: {
    holds: "clients and signatures of other systems",
    mayImport: ["base"],
    packages: ["*"],
  },
  config: {
    holds: "the settings before the start: their table by theme, how they are read, the page about them",
    mayImport: ["base"],
    packages: ["node:os", "node:path", "node:net"],
  },
  doctor: {
    holds: "checks of the machine before a start: each tries one thing, and names the remedy",
    mayImport: ["store", "base"],
    packages: ["node:"],
  },
  api: {
    holds: "endpoints as values, those of a resource together, and the views that turn rows into answers",
    mayImport: ["domain", "store", "policy", "core", "base", "integrations"],
    packages: ["node:", "@millrace/contract", "typebox", "yaml"],
  },
  http: {
    holds: "what gives endpoints life: fastify, sign-in, errors, the API document",
    mayImport: [
      "policy",
      "store",
      "core/document/yaml-body.ts",
      "core/document/write-yaml.ts",
      "core/document/validator.ts",
      "core/apply/own-document.ts",
      "base",
    ],
    typesOnly: ["api/endpoint.ts"],
    packages: ["*"],
  },
};

/** Files that are in no room: they assemble the rooms, or are run by themselves. */
export const topFiles: Readonly<Record<string, string>> = {
  "main.ts": "reads the settings and starts the chosen roles",
  "app.ts": "puts a process together",
  "open-store.ts": "starts or finds the database, and brings it up to date",
  "open-outbound.ts": "says what steps reach from this process, and what of the service they never do",
  "notices.ts": "what everyone who uses the process should know",
  "open-engine.ts": "puts the services of the engine together",
  "open-worker.ts": "opens the executors and puts the services around them",
  "heartbeat-thread.ts": "the program of the thread that keeps a worker's lease alive",
  "settings-page.ts": "the page of the settings of an instance, made from their catalogue",
  "task-pages.ts": "the lists of task types and global tasks of the handbook, made from their pages and definitions",
  "db-command.ts": "moves all data out of a database, or into an empty one",
  "db-move.ts": "moves the data of the embedded database to a server",
  "with-database.ts": "opens the database of the settings for one command",
  "read-folders.ts": "the folders of the process that grow, for the administration",
  "admin-command.ts": "gives an operator access again, and replaces the encryption key",
  "read-versions.ts": "the versions of the program and of what it needs",
  "doctor-command.ts": "tries what a start needs, and says what is missing",
  "coverage-command.ts": "counts which task documents of a folder can run",
  "generate.ts": "makes the generated files of the repository",
};

/** Deliberate exceptions to the table, each with its reason. The list may only shrink. */
export const exceptions: Readonly<Record<string, { imports: string; because: string }>> = {
  "http/routes.ts": { imports: "api", because: "the list of endpoints is the one place where http meets their values" },
};

/** Files of `store` that may have statements over the data of several teams, each with its reason. */
export const crossTeamFiles: Readonly<Record<string, string>> = {
  "store/workflow/workflow-editors.ts": "removes rows that have expired, whichever team they are of",
  "store/outbound/chat-deliveries.ts": "a subscription may be the instance's and have no team; all is looked for by its id",
  "store/integration/chat-workspaces.ts":
    "a workspace of the chat platform is not a team's own; which teams it reaches is asked for all of them",
  "store/team/directory.ts": "finds the team of what is known by its id alone; the caller's rights in it are checked afterwards",
  "store/action/due-escalations.ts": "the engine escalates the actions of all teams, each by its own row",
  "store/action/due-reminders.ts": "the engine reminds of the actions of all teams, of each by its own row",
  "store/alert/alert-rounds.ts": "one round looks at all teams that want alerts",
  "store/alert/watched-runs.ts": "runs of all teams that want alerts are looked at when they are due, each by its own row",
  "store/alert/late-queues.ts": "one statement looks at the first task run of each team that wants alerts",
  "store/alert/missed-schedules.ts": "the engine records missed times of the schedules of all teams, of each by its id",
  "store/run/queue/engine-work.ts": "the engine asks once for what is due in all teams",
  "store/run/queue/engine-upkeep.ts":
    "queues, workers, signals and what the ends of runs have started are kept small for all teams at once",
  "store/team/global-secret-protections.ts": "an administrator who protects a secret of the instance sees which teams may use it",
  "store/task/global-task-uses.ts": "a replaced version of a global task reaches the workflows of all teams",
  "store/identity/invitation-links.ts": "a person who opens a link names no team: the link is looked up by its hash",
  "store/identity/sign-ins.ts": "a user who signs in has the roles of all their teams, and sees them",
  "store/outbound/change-events.ts":
    "events of all teams are dispatched in one order; each has its team, and is matched with the subscriptions of its own",
  "store/outbound/delivery-upkeep.ts": "old deliveries, events and reports to the codehost of all teams go at once",
  "store/inbound/clear-webhooks.ts": "seals what an older version has stored in clear, of all teams",
  "store/outbound/deliveries.ts": "what is sent goes out by receiver, whosever they are; each row says its team",
  "store/schedule/due-schedules.ts": "the engine fires the schedules of all teams, one at a time, with the team that each has",
  "store/integration/installations.ts":
    "an installation of the codehost's app is not a team's own; its events go to all teams that are linked to it",
  "store/history/purge.ts": "what was deleted goes for good, in all teams, and the deleted teams with it",
  "store/log/log-moves.ts": "one process moves the logs of all teams, of each by itself",
  "store/log/log-objects.ts": "objects that nothing needs are removed by their keys, of any team",
  "store/run/lists/run-search.ts": "one process indexes the runs of all teams, each with its own team",
  "store/run/lists/runs-everywhere.ts": "a search over all teams; those whose runs the caller can read are a parameter",
  "store/run/run-bulk.ts": "the engine works on the requests of all teams, each with the team that it has",
  "store/run/tallies/insight-tallies.ts": "packs the runs of all teams that have many, of each by itself",
  "store/run/tallies/time-tallies.ts": "sums up the times of the runs of all teams, of each by itself",
  "store/run/run-insights.ts": "the insights of the instance look at the runs of all teams",
  "store/secret/sealed-rows.ts": "an encryption key seals secrets of all teams, and is replaced in all of them",
  "store/secret/encryption-keys.ts": "counts the open runs of all teams, for the operator who replaces a key",
  "store/team/team-query.ts": "a list of teams",
  "store/team/run-tallies.ts": "adds up the runs of the month for all teams that have many",
  "store/identity/token-query.ts": "the tokens of all teams that the caller may read; the list of these teams is a parameter",
  "store/workflow/triggered-workflows.ts": "who sends an event names no team; the statements are given the teams that the caller reaches",
  "store/run/queue/work-queue.ts": "administrators are shown what waits in all teams, and the workers that serve them",
  "store/worker/workers.ts": "a worker serves all teams, and its row is the lease of all it holds",
};

/** Tests that wait for time to pass, each with its reason. Everything else waits for a signal, moves the clock, or ticks manually. */
export const testsThatPoll: Readonly<Record<string, string>> = {
  "server/src/executors/process/crash.long.test.ts": "the end of a foreign process can only be asked for, again and again",
  "server/src/store/embedded/embedded.long.test.ts": "the end of a foreign process can only be asked for, again and again",
  "server/src/store/database/schema/migrate.test.ts": "a migration is made slow, so that others surely meet it half done",
  "server/test/guarantees/faults/chaos.long.test.ts": "for how long it disturbs is what it tests",
  "server/test/guarantees/faults/faults.long.test.ts": "for how long it disturbs is what it tests",
  "server/test/guarantees/faults/postgres-outage.long.test.ts": "for how long the database is away is what it tests",
  "server/src/store/database/notify.test.ts": "the return of a killed server can only be asked for, again and again",
};

const looseTypes = "the types of the library say less than it gives, or of another kind of stream";

/** Files that contain `as unknown as`, how often, and why there is no better type. The list may only shrink. */
export const unsafeCasts: Readonly<Record<string, { count: number; because: string }>> = {
  "core/parameter/parameters-check.ts": { count: 1, because: "members that are null are left out, whatever they are" },
  "core/workflow/checks/check-graph.ts": { count: 1, because: "the caller says what a node is; a marker has only what the check reads" },
  "core/workflow/workflow-document-triggers.ts": { count: 1, because: "made by names from a list of them" },
  "domain/outbound/chat-target.ts": { count: 1, because: "the document was checked against its schema before" },
  "executors/container/engine/engine-client.ts": { count: 2, because: looseTypes },
  "executors/container/engine/probe-folders.ts": { count: 4, because: looseTypes },
  "executors/container/network/network-holder.ts": { count: 1, because: looseTypes },
  "executors/kubernetes/cluster.ts": { count: 1, because: looseTypes },
  "executors/kubernetes/pod/pod-exec.ts": { count: 1, because: looseTypes },
  "integrations/outbound/outbound-http.ts": { count: 1, because: looseTypes },
};
