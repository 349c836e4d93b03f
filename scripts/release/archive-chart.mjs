// Packs the Helm chart into the archive that `helm install` and chart repositories take. `helm package` would write the time of each file
// into it; here the same files give the same bytes.
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
  // The chart's own description first: who reads the archive as a stream learns at once what it is.
  const first = "Chart.yaml";
  for (const entry of [first, ...entries.filter((one) => one !== first).sort()]) {
    if (!statSync(join(folder, entry)).isFile()) continue;
    tar.entry({ name: `${name}/${entry}`, mode: 0o644, mtime: new Date(0) }, readFileSync(join(folder, entry)));
  }
  tar.finalize();
  writeFileSync(file, gzipSync(await buffer(tar), { level: 9 }));
}
