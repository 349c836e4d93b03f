// The tests that need a cluster: one is started for all of them, and one file runs at a time. Those that make the node or the API
// unavailable run last.
import { BaseSequencer } from "vitest/node";

const root = new URL("../..", import.meta.url).pathname;
const include = ["packages/*/src/**/*.cluster.test.ts", "packages/*/test/**/*.cluster.test.ts"];
const outages = ["**/kubernetes-outages.cluster.test.ts", "**/worker/cluster.cluster.test.ts"];

/** The longest files start first. */
const first = [
  "kubernetes-executor.",
  "kubernetes-executor-further.",
  "kubernetes-hostile.",
  "chart.",
  "catalogue.",
  "kubernetes-attempts.",
];

class LongestFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => {
      const at = first.findIndex((name) => moduleId.includes(`/${name}`));
      return at === -1 ? first.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const shared = {
  setupFiles: [`${root}packages/server/test/kit/suite/property-seed.ts`],
  pool: "forks",
  // More than fifty pods need this long on a small busy machine, and so does a node for removing a pod whose start it missed: over a minute
  // and a half each.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

export default {
  root,
  test: {
    globalSetup: ["packages/server/test/kubernetes/global-setup.ts", "packages/server/test/kit/suite/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      { root, test: { ...shared, name: "tasks", include, exclude: outages, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      { root, test: { ...shared, name: "outages", include: outages, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
};
