import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuildImage } from "../kit/container/build-image.ts";

/**
 * An image of PostgreSQL from Debian's packages, with the parts of the official one that compose.yaml uses: its variables, folder and
 * programs.
 */
export async function buildPostgresImage(build: BuildImage, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-image-"));
  try {
    writeFileSync(join(folder, "Dockerfile"), dockerfile);
    writeFileSync(join(folder, "start"), start, { mode: 0o755 });
    await build(name, [{ folder, files: ["Dockerfile", "start"] }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const dockerfile = `ARG BASE
FROM \${BASE}
RUN mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \\
 && apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql \\
 && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ \\
 && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data
COPY start /usr/local/bin/
ENV PGDATA=/var/lib/postgresql/data
USER postgres
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["start"]
`;

const start = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  initdb --encoding=UTF8 --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --auth-local=trust
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=" start
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl --wait stop
fi
exec postgres -c "listen_addresses=*"
`;
