import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * A normal user for an engine without root, which exists only for it: its name and its ID ranges are in files that are mounted over those
 * of the machine, in a mount namespace of the engine.
 */
export const rootlessUser = { name: "millrace-rootless", uid: 53_219, gid: 53_219 } as const;
const ranges = `${rootlessUser.name}:1000000000:65536\n`;

/** @param folder of the engine; used as the user's home */
export async function prepareRootlessUser(folder: string): Promise<void> {
  const { name, uid, gid } = rootlessUser;
  const accounts = join(folder, "accounts");
  await mkdir(accounts);
  const [passwd, group] = await Promise.all(["/etc/passwd", "/etc/group"].map((file) => readFile(file, "utf8")));
  const files = {
    passwd: `${passwd}${name}:x:${uid}:${gid}::${folder}:/bin/sh\n`,
    group: `${group}${name}:x:${gid}:\n`,
    subuid: ranges,
    subgid: ranges,
  };
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(accounts, file), text, { mode: 0o644 })));
  await mkdir(join(folder, "session"));
}

/** Prefix of a command line to run it as that user, with the user's own IDs. */
export function asRootlessUser(folder: string): string[] {
  const { uid, gid } = rootlessUser;
  const lay = ["passwd", "group", "subuid", "subgid"].map(
    (file) => `touch /etc/${file} && mount --bind '${folder}/accounts/${file}' /etc/${file}`,
  );
  const become = `exec setpriv --reuid ${uid} --regid ${gid} --clear-groups --pdeathsig TERM "$@"`;
  return ["unshare", "--mount", "--propagation", "private", "sh", "-c", [...lay, become].join(" && "), "sh"];
}
