/**
 * The paths of the control groups of this process, read from /proc/self/cgroup and /proc/self/mountinfo. Three layouts exist: v2 alone
 * (most machines today), v1 with a folder tree for each controller, and both at once, where v2 has no useful controllers.
 */
export interface ControlGroupLayout {
  /** Folder of our own group in the v2 tree. */
  unified?: string;
  /** Folders of our own group in the v1 trees. */
  memory?: string;
  pids?: string;
  cpu?: string;
}

/**
 * @param groups text of /proc/self/cgroup: `4:memory:/path`
 * @param mounts text of /proc/self/mountinfo
 */
export function readControlGroupLayout(groups: string, mounts: string): ControlGroupLayout {
  const paths = new Map<string, string>();
  for (const line of groups.trim().split("\n")) {
    const [, , controllers = "", path = "/"] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    for (const controller of controllers.split(",")) paths.set(controller, path);
  }
  const layout: ControlGroupLayout = {};
  for (const mount of mounts.trim().split("\n")) {
    const { root, point, type, options } = parseMount(mount);
    if (type === "cgroup2") layout.unified ??= join(root, point, paths.get(""));
    if (type !== "cgroup") continue;
    for (const controller of ["memory", "pids", "cpu"] as const) {
      const folder = options.includes(controller) ? join(root, point, paths.get(controller)) : undefined;
      if (folder !== undefined) layout[controller] ??= folder;
    }
  }
  return layout;
}

/** `36 35 98:0 /root /point rw,noatime master:1 - type source options`; blanks are written as \040. */
function parseMount(line: string): { root: string; point: string; type: string; options: string[] } {
  const [left = "", right = ""] = line.split(" - ", 2);
  const [, , , root = "/", point = ""] = left.split(" ").map((field) => field.replace(/\\040/g, " "));
  const [type = "", , options = ""] = right.split(" ");
  return { root, point, type, options: options.split(",") };
}

/** In a container the mount shows a part of the tree, while the path may start at its top. */
function join(root: string, point: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const inside = root !== "/" && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) : path;
  const isAbove = inside.startsWith("/..");
  return isAbove || inside === "/" || inside === "" ? point : point + inside;
}
