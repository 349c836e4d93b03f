import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PostgresOptions } from "../src/postgres.ts";

/** Messages of a server, as bytes. */
export const message = (type: string, ...contents: (string | number[])[]): Buffer => {
  const body = Buffer.concat(contents.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const ready = message("Z", "I");
/** What a server says once it knows who we are. */
export const welcome = Buffer.concat([message("R", [0, 0, 0, 0]), message("K", [0, 0, 0, 7, 0, 0, 0, 9]), ready]);
/** An answer of one row with one column of text, as to a text that is sent as it is. */
export const answer = (text: string): Buffer =>
  Buffer.concat([
    message("T", [0, 1], "a\0", [0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
    message("D", [0, 1, 0, 0, 0, text.length], text),
    message("C", "SELECT 1\0"),
    ready,
  ]);
export const refusal = (code: string, text: string): Buffer => message("E", `SERROR\0VERROR\0C${code}\0M${text}\0\0`);

/** What the fake does with each piece that comes on a connection, which is the `index`th, counted from 0. */
export type OnPiece = (socket: Socket, piece: Buffer, index: number) => void;

/** A server that says what a test wants: what a real one says only when it is unlucky. */
export async function startFakeServer(onPiece: OnPiece, onConnect: (socket: Socket) => void = () => undefined) {
  const folder = await mkdtemp(join(tmpdir(), "fake-postgres-"));
  const pieces: string[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = pieces.push([]) - 1;
    sockets.add(socket);
    socket
      .on("error", () => undefined)
      .on("data", (piece) => {
        pieces[index]!.push(piece.toString("latin1"));
        onPiece(socket, piece, index);
      });
    onConnect(socket);
  });
  const path = join(folder, "socket");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  const options: PostgresOptions = { maxConnections: 1, path, user: "me", database: "db" };
  return { options, pieces };
}
