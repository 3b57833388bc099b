import { open, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { ApiError, ConnectionFailed, UnexpectedResponse } from "./errors.js";
import type { ApiRequest, RequestBody } from "./requests.js";
import { buildBody, buildHeaders, buildTarget } from "./requests.js";
import type { RetryPolicy } from "./retrying.js";
import { DEFAULT_RETRY_POLICY, RetryState } from "./retrying.js";
import { VERSION } from "./version.gen.js";

/** How a client reaches the service. */
export interface ClientOptions {
  /** The address of the service, with or without `/v1`: `https://bonafide.example`. */
  baseUrl: string;
  /** The API key. Keep it on a server: whoever has it can use the API. */
  key: string;
  /** The language of messages; that of the organization without it. */
  language?: "en" | "fr";
  /**
   * The longest wait for a response, and then for each part of it. 40 seconds by default, which is longer than a search may take.
   * Where a file is sent, Node.js limits the wait for the response.
   */
  timeoutMs?: number;
  retry?: Partial<RetryPolicy>;
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof globalThis.fetch;
}

const DEFAULT_TIMEOUT_MS = 40_000;
/** Codes of connections that were not made, so that nothing was sent. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

interface Exchanged {
  response: Response;
  /** The body, unless it was written to a file. */
  content: Uint8Array;
}

/** A download can't be written to its file, which no further attempt changes. The cause is the error of the file system. */
class FileNotWritten extends Error {}

/** Sends requests, with retries, and turns responses into values or errors. */
export class Transport {
  // Not visible to what prints the client: the options have the key.
  readonly #options: ClientOptions;
  readonly #retry: RetryPolicy;

  constructor(options: ClientOptions) {
    if (!/^https?:\/\//.test(options.baseUrl)) {
      throw new TypeError(`The address of the service begins with https:// or http://, not "${options.baseUrl}".`);
    }
    this.#options = options;
    this.#retry = { ...DEFAULT_RETRY_POLICY, ...options.retry };
  }

  protected async send<T>(request: ApiRequest): Promise<T> {
    const { response, content } = await this.exchange(request);
    const value = readJson(content);
    if (typeof value !== "object" || value === null) {
      throw new UnexpectedResponse(`${request.path} did not respond with a JSON object (status ${response.status}).`);
    }
    return value as T;
  }

  protected async sendForNothing(request: ApiRequest): Promise<void> {
    await this.exchange(request);
  }

  protected async download(request: ApiRequest): Promise<Uint8Array> {
    return (await this.exchange(request)).content;
  }

  /** Download a file of any size. It has its name only when it is complete. */
  protected async save(request: ApiRequest, path: string): Promise<void> {
    const part = `${path}.part`;
    const file = await open(part, "w");
    try {
      await this.exchange(request, file).finally(() => file.close());
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }

  /** The body of a successful response is written to the file if there is one. */
  private async exchange(request: ApiRequest, file?: FileHandle): Promise<Exchanged> {
    const state = new RetryState(this.#retry, request);
    const body = await buildBody(request);
    for (;;) {
      let wait: number | null;
      let failure: Error;
      try {
        const exchanged = await this.attempt(request, body, file);
        const { response, content } = exchanged;
        if (response.ok) return exchanged;
        wait = state.decideAfterResponse(response.status, response.headers.get("Retry-After"));
        failure = new ApiError(response.status, readJson(content), response.headers);
      } catch (error) {
        if (error instanceof FileNotWritten) throw error.cause;
        wait = state.decideAfterFailure(!isUnsent(error));
        failure = new ConnectionFailed(`${request.method} ${request.path}: ${describe(error)}`, { cause: error });
      }
      if (wait === null) throw failure;
      await sleep(wait);
    }
  }

  private async attempt(request: ApiRequest, body: RequestBody, file?: FileHandle): Promise<Exchanged> {
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const limit = new WaitLimit(this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    // How much of a file has been sent is not known here.
    if (request.upload === undefined) limit.restart();
    try {
      const response = await fetch(this.#options.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "") + buildTarget(request), {
        method: request.method,
        headers: { ...this.buildCommonHeaders(), ...buildHeaders(request) },
        body,
        signal: limit.signal,
      });
      limit.restart();
      const target = response.ok ? file : undefined;
      const chunks: Uint8Array[] = [];
      let position = 0;
      for await (const chunk of response.body ?? []) {
        if (target === undefined) chunks.push(chunk);
        else await writeChunk(target, chunk, position);
        position += chunk.length;
        limit.restart();
      }
      // An earlier attempt may have written more.
      await target?.truncate(position);
      return { response, content: Buffer.concat(chunks) };
    } finally {
      limit.end();
    }
  }

  private buildCommonHeaders(): Record<string, string> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.#options.key}`,
      "User-Agent": `bonafide-client-typescript/${VERSION}`,
    };
    if (this.#options.language !== undefined) headers["Accept-Language"] = this.#options.language;
    return headers;
  }
}

/** Aborts a request whose service sends nothing for some time. */
class WaitLimit {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly longestMs: number) {}

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.end();
    const abort = () => this.#controller.abort(new Error(`The service sent nothing for ${this.longestMs} ms.`));
    this.#timer = setTimeout(abort, this.longestMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Write a part of a download. The system may write less of it at once. */
async function writeChunk(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  try {
    for (let written = 0; written < chunk.length; ) {
      written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
    }
  } catch (error) {
    throw new FileNotWritten("", { cause: error });
  }
}

/** The decoded body; null if it is not JSON. */
function readJson(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    return null;
  }
}

function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return cause?.code !== undefined && NOT_SENT.has(cause.code);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
