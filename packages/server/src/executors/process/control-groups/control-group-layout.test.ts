import { describe, expect, it } from "vitest";
import { readControlGroupLayout } from "./control-group-layout.ts";

const v2Mount = "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";
const memoryMount = "36 35 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
const pidsMount = "37 35 0:32 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids";

describe("where the control groups lie", () => {
  it.each([
    ["v2 alone", "0::/system.slice/millrace.service\n", [v2Mount], { unified: "/sys/fs/cgroup/system.slice/millrace.service" }],
    ["v2 in a namespace of its own", "0::/\n", [v2Mount], { unified: "/sys/fs/cgroup" }],
    [
      "v1 with a tree for each controller",
      "8:pids:/a\n4:memory:/b/c\n",
      [memoryMount, pidsMount],
      { memory: "/sys/fs/cgroup/memory/b/c", pids: "/sys/fs/cgroup/pids/a" },
    ],
    [
      "both at once",
      "4:memory:/b\n0::/\n",
      [memoryMount, "40 35 0:33 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"],
      { memory: "/sys/fs/cgroup/memory/b", unified: "/sys/fs/cgroup/unified" },
    ],
    [
      "several controllers in one tree",
      "3:cpu,memory:/x\n",
      ["36 35 0:31 / /cg/cpu\\040memory rw - cgroup cgroup rw,cpu,memory"],
      { memory: "/cg/cpu memory/x", cpu: "/cg/cpu memory/x" },
    ],
    [
      "a container whose mount shows a part of the tree",
      "4:memory:/docker/abc\n",
      ["36 35 0:31 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory"],
      { memory: "/sys/fs/cgroup/memory" },
    ],
    ["a group above what is mounted", "0::/../other\n", [v2Mount], { unified: "/sys/fs/cgroup" }],
    ["a name with a colon", "0::/user:1/x\n", [v2Mount], { unified: "/sys/fs/cgroup/user:1/x" }],
    ["none at all", "", ["22 1 0:5 / /proc rw - proc proc rw"], {}],
  ])("is found for %s", (_, groups, mounts, expected) => {
    expect(readControlGroupLayout(groups, mounts.join("\n"))).toEqual(expected);
  });
});
