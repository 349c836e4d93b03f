import type { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, NoSuchKey, S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { LostArchive } from "../engine/workspace-store.ts";
import type { ObjectPart, ObjectStore } from "./archive-store.ts";

/** A bucket of Amazon S3 or a compatible service (MinIO, Ceph, Garage, R2). */
export interface S3Address {
  bucket: string;
  /** Prefix of all keys: empty, or ends with `/`. */
  prefix: string;
  /** Base URL of a compatible service. */
  endpoint?: string;
  region?: string;
}

/** Each part being uploaded is held in memory. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;

/** Credentials come from the default chain of the AWS SDK: environment, profile, role of the pod or the machine. */
export class S3Store implements ObjectStore {
  readonly name: string;
  readonly #client: S3Client;
  readonly #address: S3Address;

  constructor(address: S3Address) {
    const { bucket, prefix, endpoint, region } = address;
    this.#address = address;
    this.name = `the bucket ${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}`;
    this.#client = new S3Client({
      // Compatible services often have no region, but signatures need one.
      ...(region !== undefined ? { region } : endpoint !== undefined && { region: "us-east-1" }),
      // They rarely resolve bucket names as hosts.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    });
  }

  async put(key: string, content: Readable, signal?: AbortSignal): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#address.bucket, Key: this.#keyOf(key), Body: content },
      partSize: partBytes,
      queueSize: partsAtOnce,
    });
    const abort = () => void upload.abort();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await upload.done();
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  async get(key: string, signal?: AbortSignal, part?: ObjectPart): Promise<Readable> {
    const range = part && { Range: `bytes=${part.offset}-${part.offset + part.bytes - 1}` };
    const command = new GetObjectCommand({ Bucket: this.#address.bucket, Key: this.#keyOf(key), ...range });
    const { Body } = await this.#client.send(command, { ...(signal && { abortSignal: signal }) }).catch((error: Error) => {
      if (error instanceof NoSuchKey) throw new LostArchive(`${this.name} does not have ${key}`);
      throw error;
    });
    return Body as Readable;
  }

  async remove(key: string, signal?: AbortSignal): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#address.bucket, Key: this.#keyOf(key) });
    await this.#client.send(command, { ...(signal && { abortSignal: signal }) });
  }

  async *list(prefix: string): AsyncIterable<string> {
    for (let token: string | undefined; ; ) {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#address.bucket,
          Prefix: this.#keyOf(prefix),
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key.slice(this.#address.prefix.length);
      token = page.NextContinuationToken;
      if (token === undefined) return;
    }
  }

  #keyOf(key: string): string {
    return `${this.#address.prefix}${key}`;
  }
}
