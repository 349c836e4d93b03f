// Packs the Helm chart into the archive that `helm install` and chart repositories accept. `helm package` would include the time of each
// file; here the same files produce the same bytes.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

/**
 * @param {string} folder of the chart
 * @param {{name: string, file: string}} archive the name of the chart, and where to write
 */
export async function archiveChart(folder, { name, file }) {
  const { pack } = await import("tar-stream");
  const tar = pack();
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((entry) => entry.split(sep).join("/"));
  // The chart's own description first, so that a program that streams the archive can identify it immediately.
  const first = "Chart.yaml";
  for (const entry of [first, ...entries.filter((one) => one !== first).sort()]) {
    if (!statSync(join(folder, entry)).isFile()) continue;
    tar.entry({ name: `${name}/${entry}`, mode: 0o644, mtime: new Date(0) }, readFileSync(join(folder, entry)));
  }
  tar.finalize();
  writeFileSync(file, gzipSync(await buffer(tar), { level: 9 }));
}
