import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readStartTicks } from "../process/process-table.ts";
import { openUidFilter, removeDeadFilters, type UidFilter } from "./uid-filter.ts";

/** Users without an account, as steps have them. */
const [one, other] = [1_499_999_001, 1_499_999_002].map((uid) => ({ uid, gid: uid }));
// The id of a living process: a service that starts in another test removes the rules of dead ones.
const owner = `${process.pid}-${await readStartTicks(process.pid)}-${randomBytes(4).toString("hex")}`;
const opened = process.getuid?.() === 0 ? await openUidFilter(owner, one!, process.execPath) : { problem: "the suite is not root" };

if ("problem" in opened) describe.skip("packet filter rules by user", () => test(`do not work here: ${opened.problem}`, () => undefined));
else describe("packet filter rules by user", () => exercise(opened));

function exercise(filter: UidFilter): void {
  let servers: Server[];
  let ports: number[];
  beforeAll(async () => {
    servers = [0, 1].map(() => createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1"));
    await Promise.all(servers.map((server) => new Promise((done) => server.once("listening", done))));
    ports = servers.map((server) => (server.address() as AddressInfo).port);
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await filter.end();
    expect(tables()).not.toContain(owner.replaceAll("-", "_"));
  });

  /** Which of the servers that user can reach. */
  const reached = async (uid: number): Promise<boolean[]> => {
    const script = "exec 3<>/dev/tcp/127.0.0.1/$1 && cat <&3";
    const results = ports.map((port) => runAs(uid, ["bash", "-c", script, "try", String(port)]));
    return (await Promise.all(results)).map((text) => text === "reached");
  };

  test("a closed user reaches only its one port, another user everything", async () => {
    expect(await reached(one!.uid)).toEqual([true, true]);
    await filter.close(one!, ports[0]);
    expect(await reached(one!.uid)).toEqual([true, false]);
    expect(await reached(other!.uid)).toEqual([true, true]);
    await filter.release(one!, "closed", ports[0]);
    expect(await reached(one!.uid)).toEqual([true, true]);
  });

  test("a user stays closed until its last attempt ends", async () => {
    await filter.close(one!);
    await filter.close(one!);
    await filter.release(one!, "closed");
    expect(await reached(one!.uid)).toEqual([false, false]);
    await filter.open(one!);
    expect(await reached(one!.uid)).toEqual([true, true]);
    await filter.release(one!, "open");
    expect(await reached(one!.uid)).toEqual([false, false]);
    await filter.release(one!, "closed");
  });

  test("a user that was retired stays closed until nobody can have its sockets any more", async () => {
    await filter.retire(one!);
    await filter.forget(() => false);
    expect(await reached(one!.uid)).toEqual([false, false]);
    await filter.open(one!);
    expect(await reached(one!.uid)).toEqual([true, true]);
    await filter.release(one!, "open");
    await filter.forget(() => true);
    expect(await reached(one!.uid)).toEqual([true, true]);
  });

  test("a closed user that listens for connections can't send anything on a leftover connection", async ({ skip }) => {
    const outside = `mt-${process.pid}`;
    if (!canRun("ip", ["netns", "add", outside])) return skip("no network namespace can be made here");
    onTestFinished(() => void canRun("ip", ["netns", "delete", outside]));
    const [here, there] = [`mta${process.pid}`, `mtb${process.pid}`];
    execFileSync("ip", ["link", "add", here, "type", "veth", "peer", "name", there, "netns", outside]);
    for (const place of [[], ["-n", outside]]) {
      const [link, address] = place.length === 0 ? [here, "198.18.77.1/30"] : [there, "198.18.77.2/30"];
      execFileSync("ip", [...place, "address", "add", address!, "dev", link!]);
      execFileSync("ip", [...place, "link", "set", link!, "up"]);
    }
    await filter.close(one!);
    const listener = startAs(one!.uid, ["perl", "-MSocket", "-e", leaving]);
    onTestFinished(() => void listener.kill());
    const port = await new Promise<string>((done) => listener.stdout.once("data", (text) => done(`${text}`.trim())));
    // The first ones wait for a response that can't be sent; after those, the kernel responds without a socket.
    const call = ["netns", "exec", outside, "timeout", "1", "bash", "-c", `exec 3<>/dev/tcp/198.18.77.1/${port} && cat <&3`];
    const heard = await Promise.all(Array.from({ length: 6 }, () => outputOf(spawn("ip", call, { stdio: ["ignore", "pipe", "ignore"] }))));
    expect(heard.join("")).toBe("");
    await filter.release(one!, "closed");
  });

  test("filters of a dead process are removed when its users have no more processes; those of a live one stay", async () => {
    const [dead, alive] = ["millrace_7_8_dead", "millrace_7_9_alive"];
    for (const name of [dead, alive]) {
      execFileSync("nft", ["add", "table", "inet", name]);
      execFileSync("nft", ["add", "set", "inet", name, "closed", "{ type uid; }"]);
      execFileSync("nft", ["add", "element", "inet", name, "closed", name === dead ? "{ 1500000001, 1500000002, 0 }" : "{ 1500000003 }"]);
    }
    const ended: number[][] = [];
    await removeDeadFilters({
      isAlive: async (pid, startTicks) => pid !== 7 || startTicks === 9,
      async endProcesses(uids) {
        expect(tables()).toContain(dead);
        ended.push([...uids].sort());
      },
    });
    expect(ended).toEqual([[1_500_000_001, 1_500_000_002]]);
    expect(tables()).not.toContain(dead);
    expect(tables()).toContain(alive);
    execFileSync("nft", ["delete", "table", "inet", alive]);
  });
}

function tables(): string {
  return execFileSync("nft", ["list", "tables"], { encoding: "utf8" });
}

/** Responds to each connection with a word that is not sent yet when it is closed. */
const leaving = `
socket(my $server, PF_INET, SOCK_STREAM, 0); bind($server, sockaddr_in(0, INADDR_ANY)); listen($server, 1);
$| = 1; print +(sockaddr_in(getsockname($server)))[0], "\\n";
while (accept(my $client, $server)) { syswrite($client, "secret"); close($client) }`;

function canRun(file: string, args: readonly string[]): boolean {
  return spawnSync(file, args, { stdio: "ignore" }).status === 0;
}

/** Does not block the servers, which belong to this process. */
function runAs(uid: number, argv: string[]): Promise<string> {
  return outputOf(startAs(uid, argv));
}

function startAs(uid: number, argv: string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn("setpriv", [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--", ...argv], {
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function outputOf(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  return new Promise((done) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    child.on("close", () => done(text));
  });
}
