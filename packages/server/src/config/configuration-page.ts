import { settings } from "./settings.ts";

/** docs/configuration.md, made from the settings. */
export function renderConfigurationPage(): string {
  const rows = Object.values(settings).map((setting) => `| \`${setting.name}\` | ${renderDefault(setting)} | ${setting.description} |`);
  return `${head}\n${rows.join("\n")}\n\n${tail}`;
}

function renderDefault(setting: { default: string | undefined; defaultNote?: string }): string {
  return setting.defaultNote ?? `\`${setting.default}\``;
}

const head = `<!-- Made by \`npm run generate\` from packages/server/src/config/settings.ts. -->

# Configuration

All settings are environment variables. A name that begins with \`MILLRACE_\` and is not in this table stops the start, so that a
typing error cannot go unnoticed. An empty value counts as not set.

| Setting | Default | Meaning |
|---|---|---|`;

const tail = `What administrators change while the service runs is in [settings.md](settings.md). Proxies for requests that the service makes itself
(\`HTTPS_PROXY\`) are not used.

Variables that Kubernetes sets for a service named \`millrace\` (\`MILLRACE_PORT=tcp://…\`, \`MILLRACE_SERVICE_HOST\` and the like) are
ignored with a warning; \`enableServiceLinks: false\` in the pod keeps them away.

## Files in the data folder

| File | What it is |
|---|---|
| \`admin-token\` | the token with all permissions, made at the first start unless \`MILLRACE_ADMIN_TOKEN\` is set; readable by its owner only |
| \`one-time-code\` | made with it: activates the instance, once ([the first person](getting-started.md#people)) |
| \`encryption-key\` | the key of the stored secrets, unless one is configured; readable by its owner only. A backup of the database is of little use without it: keep both, apart from each other. [How to replace it](encryption-keys.md) |
| \`postgres/\` | the embedded database: its files in \`cluster/\`, its log in \`server.log\` |
| \`workspaces/\` | workspaces of workflows and of runs that are not finalized, where a worker runs; \`place-id\` in it [identifies the folder](executors.md#with-several-workers) |
| \`scratch/\` | folders of the attempts that run at the moment; needs no backup |

## When it does not start

What is in the way of a start is one line on standard error, which begins with \`millrace:\` and names the remedy; the exit code is 1.

- **Open files.** A process must be able to open 256 files at least (\`ulimit -n\`, \`LimitNOFILE\`, \`--ulimit nofile\`). With fewer than some 20 Node itself ends before it reads the first line of Millrace.
- **The data folder.** A read-only file system, another owner and a full disk are each named with the path.
- **The port.** The line names the address, and what else may listen there.
- **An external database.** It may start at the same time as Millrace, and may cut a connection at any moment before \`millrace ready\`. Each step of the start is tried for a minute, with one
  warning; then the line names the host. What waiting does not help, such as a refused password, is said at once.

## The embedded database

Without \`DATABASE_URL\` a PostgreSQL server runs as a child of the service: no network port, a socket that only its user may enter,
durable settings, and an application user that is not a superuser. It ends with the service, also when the service is killed. A second
Millrace on the same data folder is refused. Started by root it runs as \`nobody\`.

When its disk is full, requests are answered with 503 and the reason \`DATABASE_FULL\`, \`/ready\` is 503, \`GET /health\` says \`"database": "full"\`, and one line of the log names the folder. Nothing is lost: tasks and
runs go on by themselves once there is room. Less than 24 MB count as full, since PostgreSQL needs some to write its log of changes.

In a container it needs a user id with a name in \`/etc/passwd\`, or user namespaces, where it runs under the name \`nobody\` (OpenShift gives out ids without a name); and some megabytes in \`/dev/shm\`, for example
by \`docker run --shm-size=256m\`. What is missing is named at the start.

\`npm run db -- backup FILE\` writes all data into one file, also while the service runs; \`npm run db -- restore FILE\` reads it into
an empty database. Both work with the embedded server and with \`DATABASE_URL\`, so this is also the way from one to the other, and
from one major version of PostgreSQL to the next. A data folder of another major version is refused with the way to move it: with \`MILLRACE_PG_BIN\` set to the programs
of the old version run \`npm run db -- backup FILE\`, move the folder \`postgres\` of the data folder away (and leave the other files in place), and without \`MILLRACE_PG_BIN\`
run \`npm run db -- restore FILE\`. \`npm run db -- keys\` shows and [replaces encryption keys](encryption-keys.md).
`;
