import { readFile } from "node:fs/promises";
import { basename } from "node:path";

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

/** What an operation sends. `path` begins with a slash. */
export interface ApiRequest {
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, QueryValue>;
  /** A body that is sent as JSON. */
  body?: unknown;
  /** A body that is not JSON, and its media type. */
  content?: { bytes: Uint8Array | string; type: string };
  /** A form with a file, which is read into memory. */
  upload?: { path: string; fields: Record<string, string> };
  accept?: string;
  idempotencyKey?: string;
  respondAsync?: boolean | undefined;
}

/** Options of operations that change something. */
export interface PostOptions {
  /** The same key for the same work: the service does it once. A new key by default, which the retries of this call share. */
  idempotencyKey?: string;
}

const JSON_TYPE = "application/json";
const REPEATABLE = new Set(["GET", "PUT", "DELETE"]);

/** Whether a request can be sent again although an earlier attempt may have arrived. */
export function isRepeatable(request: ApiRequest): boolean {
  return REPEATABLE.has(request.method) || request.idempotencyKey !== undefined;
}

/** The path with the query parameters that have a value. */
export function buildTarget(request: ApiRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value instanceof Date) parameters.set(name, value.toISOString());
    else if (value !== undefined) parameters.set(name, String(value));
  }
  const query = parameters.toString();
  return query === "" ? request.path : `${request.path}?${query}`;
}

/** The headers of this request alone. */
export function buildHeaders(request: ApiRequest): Record<string, string> {
  const headers: Record<string, string> = { Accept: request.accept ?? JSON_TYPE };
  if (request.content !== undefined) headers["Content-Type"] = request.content.type;
  else if (request.body !== undefined) headers["Content-Type"] = JSON_TYPE;
  if (request.idempotencyKey !== undefined) headers["Idempotency-Key"] = request.idempotencyKey;
  if (request.respondAsync === true) headers["Prefer"] = "respond-async";
  return headers;
}

/** A body as `fetch` sends it; null without one. */
export type RequestBody = string | Uint8Array | FormData | null;

/** The body of a request, which can be sent more than once. */
export async function buildBody(request: ApiRequest): Promise<RequestBody> {
  if (request.upload !== undefined) {
    const form = new FormData();
    for (const [name, value] of Object.entries(request.upload.fields)) form.set(name, value);
    form.set("file", new Blob([await readFile(request.upload.path)]), basename(request.upload.path));
    return form;
  }
  if (request.content !== undefined) return request.content.bytes;
  return request.body === undefined ? null : JSON.stringify(request.body);
}
