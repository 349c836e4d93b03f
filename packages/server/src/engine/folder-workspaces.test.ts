import { randomUUID } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../base/file/remove-tree.ts";
import { openFolderPlace } from "./folder-workspaces.ts";

/** The effective user of this process, who is not root, for the duration of a test. */
function actAs(uid: number): void {
  process.seteuid?.(uid);
  onTestFinished(() => process.seteuid?.(0));
}

test.skipIf(process.geteuid?.() !== 0)(
  "a folder with workspaces that another user made is refused, and the error says what to do",
  async () => {
    const root = await mkdtemp(join(tmpdir(), "millrace-place-"));
    onTestFinished(() => removeTree(root));
    const uid = 54_321;
    await chown(root, uid, uid);
    const ofTeam = join(root, randomUUID());
    await mkdir(join(ofTeam, "workflow"), { recursive: true });
    await chmod(ofTeam, 0o711);
    actAs(uid);
    await expect(openFolderPlace(root)).rejects.toThrow(
      /another user made them \(EACCES\)\. Start Millrace as that user, or .*chown -R 54321 \S+$/,
    );
    process.seteuid?.(0);
    await chown(ofTeam, uid, uid);
    await chown(join(ofTeam, "workflow"), uid, uid);
    process.seteuid?.(uid);
    expect(await openFolderPlace(root)).toMatchObject({ path: root });
  },
);
