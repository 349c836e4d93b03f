import type { IncomingMessage } from "node:http";
import { posix } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type Docker from "dockerode";
import { type RegistryQuestion, readProgress, untilFirstWord } from "../images/registry-question.ts";
import { boundAnswers } from "./bounded-answers.ts";
import { clientOptions } from "./engine-address.ts";
import { EngineRefusal, toEngineError } from "./engine-error.ts";

interface ContainerState {
  Status: string;
  Running: boolean;
  /** Of its first process, on the engine's machine; 0 if there is none. */
  Pid: number;
  OOMKilled: boolean;
  ExitCode: number;
  Error: string;
}

export interface FoundPath {
  kind: "file" | "folder" | "link" | "other";
  /** Size of a file. */
  sizeBytes: number;
  /** Target of a link, as a path in the container. */
  target: string;
}

/** In the engine's format. */
interface PathStat {
  mode: number;
  size: number;
  linkTarget: string;
}

/** The limit in ms for calls that should be fast: fifty containers may be starting at once. */
const answerMs = 120_000;
const createTries = 8;
/** For the output of a program when it is discarded. */
const maxIgnoredBytes = 1_048_576;
const maxHops = 8;
const [goFolder, goLink] = [0x80000000, 0x08000000];
/** Devices, pipes, sockets, and what Go calls irregular. */
const goOther = 0x04000000 | 0x02000000 | 0x01000000 | 0x00200000 | 0x00080000;

/**
 * The calls that we make to an engine, limited to the part of Docker's API that Podman also has. Every call fails with an EngineAway or an
 * EngineRefusal; no call is retried here. Output is never requested together with standard input: Podman would pass the body of the request
 * to the step.
 */
export class EngineClient {
  readonly #docker: Docker;
  /** Podman's own API, for what its Docker API does badly: the `wait` of that polls only every 250 ms. */
  #podman = "";

  constructor(docker: Docker) {
    this.#docker = docker;
    boundAnswers(docker);
    keepToPlainPaths(docker);
  }

  setPodman(majorVersion: number): void {
    if (majorVersion >= 4) this.#podman = `/v${majorVersion}.0.0/libpod`;
  }

  version(): Promise<Docker.DockerVersion> {
    return this.#ask(() => this.#docker.version());
  }

  info(): Promise<EngineInfo> {
    return this.#ask(() => this.#docker.info() as Promise<EngineInfo>);
  }

  ping(): Promise<unknown> {
    return this.#ask(() => this.#dial("GET", "/_ping?", false, { abortSignal: AbortSignal.timeout(10_000) }));
  }

  /** @returns its id */
  async create(spec: Docker.ContainerCreateOptions): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        const created = await this.#ask(() => this.#docker.createContainer(inBody(spec)));
        return created.id;
      } catch (error) {
        if (attempt >= createTries || !isIdRace(error)) throw error;
      }
      await pause(attempt * 20 * (1 + Math.random()));
    }
  }

  /** Output from now on, in frames. While we don't read, the engine blocks the step. */
  attach(id: string): Promise<Readable> {
    return this.#stream("POST", `/containers/${id}/attach?stream=1&stdout=1&stderr=1&`);
  }

  /**
   * Output from the beginning, in frames, as far as the engine has kept it. @param isLive follow it to its end instead of reading only what
   * exists now
   */
  logs(id: string, isLive: boolean): Promise<Readable> {
    return this.#stream("GET", `/containers/${id}/logs?stdout=1&stderr=1&follow=${isLive ? 1 : 0}&`);
  }

  start(id: string): Promise<unknown> {
    return this.#ask(() => this.#docker.getContainer(id).start({ abortSignal: AbortSignal.timeout(answerMs) })).catch(unlessStatus(304));
  }

  /** Resolves when the container has ended. @returns its exit code */
  async wait(id: string): Promise<number> {
    if (this.#podman === "") return (await this.#ask(() => this.#docker.getContainer(id).wait())).StatusCode;
    const answer = await this.#dial("POST", `${this.#podman}/containers/${id}/wait?interval=20ms&`, false);
    return Number(String(answer));
  }

  async state(id: string): Promise<ContainerState> {
    return (await this.#ask(() => this.#docker.getContainer(id).inspect())).State;
  }

  /** Bytes that a container has written to its root. @returns undefined if the engine could not count them */
  async rootBytes(id: string): Promise<number | undefined> {
    const { SizeRw } = (await this.#dial("GET", `/containers/${id}/json?size=1&`, false)) as { SizeRw?: number };
    return SizeRw !== undefined && SizeRw >= 0 ? SizeRw : undefined;
  }

  /** What a container has written to its root or removed there: JSON of any length. */
  changes(id: string): Promise<Readable> {
    return this.#stream("GET", `/containers/${id}/changes?`);
  }

  /** The first process of a container, and where the engine stores what it writes to its root, both on the engine's machine. */
  async root(id: string): Promise<{ pid: number; layer: string | undefined }> {
    const { State, GraphDriver } = await this.#ask(() => this.#docker.getContainer(id).inspect());
    return { pid: State.Pid, layer: (GraphDriver?.Data as { UpperDir?: string } | null | undefined)?.UpperDir };
  }

  /** A container that has already ended is not an error. */
  kill(id: string, signal: "SIGTERM" | "SIGKILL"): Promise<unknown> {
    return this.#ask(() => this.#docker.getContainer(id).kill({ signal })).catch((error) => {
      if (
        !(error instanceof EngineRefusal) ||
        !(error.status === 404 || error.status === 409 || /not running|state improper/.test(error.message))
      )
        throw error;
    });
  }

  /**
   * Runs a program in a running container, in the folder `/`: any other folder could have been replaced by a link, which older runtimes
   * follow out of the container. Its output is discarded: the program blocks if it writes more than a little.
   *
   * @param user absent: the container's user
   * @returns its exit code, once it has ended
   */
  async exec(
    id: string,
    { command, user, env = [] }: { command: readonly string[]; user?: string; env?: readonly string[] },
  ): Promise<{ ended: Promise<number>; drop(): void }> {
    const options = {
      Cmd: [...command],
      Env: [...env],
      WorkingDir: "/",
      AttachStdout: true,
      AttachStderr: true,
      ...(user !== undefined && { User: user }),
    };
    const exec = await this.#ask(() => this.#docker.getContainer(id).exec(options));
    const output = (await this.#ask(() => exec.start({ Detach: false, Tty: false }))) as Readable;
    const end = async (): Promise<number> => {
      let left = maxIgnoredBytes;
      await new Promise((resolve, reject) => {
        output.on("data", (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) output.pause();
        });
        output.on("end", resolve).on("close", resolve).on("error", reject);
      });
      return (await exec.inspect()).ExitCode ?? 255;
    };
    const ended = this.#ask(end);
    ended.catch(() => undefined);
    return { ended, drop: () => output.destroy() };
  }

  /** Whether the engine itself has sent it a signal, on its own or on request. The engine remembers only recent signals. */
  async wasSignalled(id: string): Promise<boolean> {
    const filters = encodeURIComponent(JSON.stringify({ container: [id], event: ["kill"] }));
    const events = await this.#dial("GET", `/events?since=0&until=${Date.now() / 1000}&filters=${filters}&`, false);
    return String(events ?? "").length > 0;
  }

  /** Removes it, and kills it if it runs. A container that is gone, or is being removed, is not an error. */
  remove(nameOrId: string): Promise<unknown> {
    // With Docker's API, Podman would send TERM and wait ten seconds.
    const options = this.#podman === "" ? "force=1&v=1&" : "force=true&volumes=true&timeout=0&";
    const signal = { abortSignal: AbortSignal.timeout(answerMs) };
    return this.#dial("DELETE", `${this.#podman}/containers/${nameOrId}?${options}`, false, signal).catch(unlessStatus(404, 409));
  }

  /** @param labels `name=value`, all of which must match; containers that have ended are listed as well */
  list(labels: readonly string[]): Promise<Docker.ContainerInfo[]> {
    return this.#ask(() => this.#docker.listContainers({ all: true, filters: JSON.stringify({ label: labels }) }));
  }

  /** @returns undefined if the engine does not have it */
  image(reference: string): Promise<Docker.ImageInspectInfo | undefined> {
    return this.#ask(() => this.#docker.getImage(reference).inspect()).catch((error) => {
      if (error instanceof EngineRefusal && error.status === 404) return undefined;
      throw error;
    });
  }

  /**
   * Annotations of the manifest that an image came with, by name or id: Podman passes them on to the container runtime, Docker to nobody.
   */
  async annotations(what: "images" | "containers", id: string): Promise<Record<string, string>> {
    if (this.#podman === "") return {};
    type Found = { Annotations?: Record<string, string>; Config?: { Annotations?: Record<string, string> } };
    const { Annotations, Config } = (await this.#dial("GET", `${this.#podman}/${what}/${id}/json?`, false)) as Found;
    return Annotations ?? Config?.Annotations ?? {};
  }

  /**
   * What exists at a path of a container, which need not run; it is not opened. Links are resolved inside the container. @returns undefined
   * if nothing exists there
   *
   * @param follows resolve the last link as well, instead of returning the link itself
   */
  async look(id: string, path: string, follows = false): Promise<FoundPath | undefined> {
    for (let at = path, hops = 0; hops < maxHops; hops++) {
      const stat = await this.#stat(id, at);
      if (stat === undefined) return undefined;
      const { mode, size, linkTarget: target } = stat;
      const isLink = (mode & goLink) !== 0 && target !== "" && target !== at;
      // In Go's encoding: the highest bits are folder and link, other kinds have their own bits.
      if (!isLink) return { kind: mode & goFolder ? "folder" : mode & goOther ? "other" : "file", sizeBytes: size, target: "" };
      if (!follows) return { kind: "link", sizeBytes: 0, target };
      at = posix.resolve(posix.dirname(at), target);
    }
    return { kind: "other", sizeBytes: 0, target: "" };
  }

  async #stat(id: string, path: string): Promise<PathStat | undefined> {
    const options = { abortSignal: AbortSignal.timeout(answerMs), statusCodes: { 200: true, 404: true } };
    const answer = (await this.#dial(
      "HEAD",
      `/containers/${id}/archive?path=${encodeURIComponent(path)}&`,
      true,
      options,
    )) as IncomingMessage;
    answer.resume();
    // For a dangling link Podman responds with 404, but describes it all the same.
    const text = [answer.headers["x-docker-container-path-stat"]].flat()[0];
    return text === undefined ? undefined : (JSON.parse(Buffer.from(text, "base64").toString("utf8")) as PathStat);
  }

  /** @throws EngineRefusal with the registry's message */
  async pull(question: RegistryQuestion): Promise<void> {
    const { name, version, auth } = question;
    // When a digest is requested, Docker considers an image that it has as pulled, no matter who asks and where the image came from.
    if (this.#podman === "" && version.includes(":")) await this.askRegistry(question);
    const path = `/images/create?fromImage=${encodeURIComponent(name)}&tag=${encodeURIComponent(version)}&`;
    // Without either header Podman would use the credentials of its own user.
    const credentials = auth ? { authconfig: auth } : { registryconfig: {} };
    await untilFirstWord(question, async (signal, heard) => {
      const answer = await this.#dialRegistry("POST", path, true, { abortSignal: signal, ...credentials });
      await readProgress(answer as Readable, heard);
    });
  }

  /**
   * Has the engine ask the registry whether it gives out an image that the engine already has. A pull by digest would not work: Docker
   * would not contact the registry. With Podman, a pull is the only way to ask.
   *
   * @throws EngineRefusal with the registry's message
   */
  async askRegistry(question: RegistryQuestion): Promise<void> {
    const { name, version, auth } = question;
    if (this.#podman !== "") return this.pull(question);
    await untilFirstWord(question, async (signal) => {
      await this.#dialRegistry("GET", `/distribution/${name}@${version}/json?`, false, {
        abortSignal: signal,
        ...(auth && { authconfig: auth }),
      });
    });
  }

  /** Always tagged `latest`: Podman accepts no tag here. */
  async importRoot(tar: Readable, name: string): Promise<void> {
    const path = `/images/create?fromSrc=-&repo=${encodeURIComponent(name)}&tag=latest&`;
    await readProgress((await this.#dial("POST", path, true, { file: tar })) as Readable);
  }

  removeImage(name: string): Promise<unknown> {
    return this.#ask(() => this.#docker.getImage(name).remove({ force: true }));
  }

  /** A file of a container, as a tar. */
  archive(id: string, path: string): Promise<Readable> {
    return this.#stream("GET", `/containers/${id}/archive?path=${encodeURIComponent(path)}&`);
  }

  async #stream(method: string, path: string): Promise<Readable> {
    return (await this.#dial(method, path, true)) as Readable;
  }

  #dialRegistry(method: string, path: string, isStream: boolean, more: object): Promise<unknown> {
    return this.#dial(method, path, isStream, more, true);
  }

  /** @param path ends with `&` or `?`, which the client removes */
  #dial(method: string, path: string, isStream: boolean, more: object = {}, asksRegistry = false): Promise<unknown> {
    const request = { path, method, isStream, statusCodes: { 200: true, 201: true, 204: true }, ...more };
    return this.#ask(
      () =>
        new Promise((resolve, reject) => {
          this.#docker.modem.dial(request as never, (error: unknown, answer: unknown) => (error ? reject(error) : resolve(answer)));
        }),
      asksRegistry,
    );
  }

  async #ask<T>(act: () => Promise<T>, asksRegistry = false): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw toEngineError(error, asksRegistry);
    }
  }
}

/**
 * For a path with `..` or `//`, an engine redirects to the normalized one, and the library would follow such a redirect away from the
 * engine's socket, to any host. So such paths are refused, in every call.
 */
function keepToPlainPaths({ modem }: Docker): void {
  const dial = modem.dial.bind(modem) as typeof modem.dial;
  modem.dial = (options, callback) => {
    const path = String(options.path);
    const { pathname } = new URL(path, "http://engine");
    const isPlain = path.split("?", 1)[0] === pathname && !pathname.includes("//");
    if (isPlain) return dial(options, callback);
    callback?.(new EngineRefusal(400, `the container engine gets no requests for the path ${JSON.stringify(path)}`), null);
  };
}

/** What both engines report about themselves, as far as we use it. */
export interface EngineInfo {
  ID?: string;
  /** Name of its machine. */
  Name?: string;
  DockerRootDir?: string;
  Architecture?: string;
  NCPU?: number;
  MemoryLimit?: boolean;
  SwapLimit?: boolean;
  PidsLimit?: boolean;
  CpuCfsQuota?: boolean;
  CPUShares?: boolean;
  CgroupVersion?: string;
  SecurityOptions?: string[] | null;
  Rootless?: boolean;
}

/** Loads the client's library here, because nothing else needs it. */
export async function openEngineClient(address: string): Promise<EngineClient> {
  const { default: DockerClient } = await import("dockerode");
  return new EngineClient(new DockerClient(clientOptions(address)));
}

/**
 * The library would also put all options into the URL. Engines and proxies in front of them write URLs to their logs, and the variables
 * include secrets.
 */
function inBody(spec: Docker.ContainerCreateOptions): Docker.ContainerCreateOptions {
  const { name } = spec;
  const parts = { _query: name === undefined ? {} : { name }, _body: spec, abortSignal: AbortSignal.timeout(answerMs) };
  return parts as Docker.ContainerCreateOptions;
}

/** Rootless Podman sometimes finds no ids for its user when several containers are created at once; it has created nothing then. */
function isIdRace(error: unknown): boolean {
  return error instanceof EngineRefusal && /keep-id requires additional UIDs or GIDs/.test(error.message);
}

function unlessStatus(...statuses: number[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof EngineRefusal && statuses.includes(error.status)) return undefined;
    throw error;
  };
}
