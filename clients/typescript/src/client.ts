import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { VerificationNotMade, WaitTimedOut } from "./errors.js";
import { Operations } from "./operations.gen.js";
import type { PostOptions } from "./requests.js";
import type {
  Batch,
  BatchFormat,
  BatchKind,
  BatchMapping,
  BatchParameters,
  Claimant,
  DocumentUpload,
  OwnershipAnswer,
  Pack,
  PdfRequest,
  SearchResult,
  VerificationPending,
  VerifyResponse,
} from "./types.gen.js";

/** Options of the methods that wait. */
export interface WaitOptions {
  /** 5 minutes by default. */
  timeoutMs?: number;
}

/** What else a batch needs to know about its file. */
export interface BatchUploadOptions extends PostOptions {
  /** That of the name of the file without it. */
  format?: BatchFormat;
  mapping?: BatchMapping;
  parameters?: Partial<BatchParameters>;
}

/** What a file about ownership does not say itself: see `putOwnership`. */
export type StatementOptions = {
  /** The day on which it is true. Required with CSV. */
  asOf?: string;
  claimedBy?: Claimant;
  declaredBy?: string;
  subject?: string;
};

const DEFAULT_WAIT_MS = 300_000;
const DEFAULT_BATCH_WAIT_MS = 86_400_000;
const FIRST_INTERVAL_MS = 500;
const LONGEST_INTERVAL_MS = 5000;
const INTERVAL_GROWTH = 1.5;

/**
 * Calls the API. The methods are named as the operations of the reference.
 *
 *     const client = new BonafideClient({ baseUrl: "http://127.0.0.1:8080", key: process.env.KEY });
 *     const result = await client.createSearch({ name: "Sandbox Bakery" });
 */
export class BonafideClient extends Operations {
  /** The result of a search when it is no longer `loading`. Check `meta.status`: it can be `error`. Throws `WaitTimedOut`. */
  waitForSearch(searchId: string, options: WaitOptions = {}): Promise<SearchResult> {
    return poll(
      `Search ${searchId}`,
      () => this.readSearch(searchId),
      (result) => result.meta.status === "loading",
      options,
    );
  }

  /**
   * The result of a verification: pass what `verifyBusiness` returned, or an ID.
   *
   * Throws `VerificationNotMade` if the verification failed, and `WaitTimedOut`.
   */
  async waitForVerification(
    verification: VerifyResponse | VerificationPending | string,
    options: WaitOptions = {},
  ): Promise<VerifyResponse> {
    if (typeof verification !== "string" && "results" in verification) return verification;
    const id = typeof verification === "string" ? verification : verification.reportFetchId;
    const result = await poll(
      `Verification ${id}`,
      () => this.readVerification(id),
      (read) => "pending" in read,
      options,
    );
    if ("results" in result) return result;
    throw new VerificationNotMade("error" in result ? result.error : result.status);
  }

  /** An examiner's pack when it is no longer being built. Check `status`: it can be `failed`. Throws `WaitTimedOut`. */
  waitForPack(packId: string, options: WaitOptions = {}): Promise<Pack> {
    const isBeingBuilt = (pack: Pack) => pack.status === "queued" || pack.status === "building";
    return poll(`Pack ${packId}`, () => this.readPack(packId), isBeingBuilt, options);
  }

  /** A batch when it has ended. Check `status`: it can be `failed` or `cancelled`. Throws `WaitTimedOut`, after a day by default. */
  waitForBatch(batchId: string, options: WaitOptions = {}): Promise<Batch> {
    const isUnfinished = (batch: Batch) => ["queued", "running", "paused"].includes(batch.status);
    return poll(`Batch ${batchId}`, () => this.readBatch(batchId), isUnfinished, { timeoutMs: DEFAULT_BATCH_WAIT_MS, ...options });
  }

  /**
   * Request a batch with the rows of a file: JSON lines, CSV, XLSX or Parquet. `createBatch` sends up to 1,000 rows as JSON.
   *
   * `mapping` has the columns of fields that are not found by their names.
   */
  uploadBatch(path: string, kind: BatchKind, options: BatchUploadOptions = {}): Promise<Batch> {
    const fields: Record<string, string> = { kind };
    if (options.format !== undefined) fields["format"] = options.format;
    if (options.mapping !== undefined) fields["mapping"] = JSON.stringify(options.mapping);
    if (options.parameters !== undefined) fields["parameters"] = JSON.stringify(options.parameters);
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.send({ method: "POST", path: "/v1/batches", upload: { path, fields }, idempotencyKey });
  }

  /** Download the results of a batch into a file. `readBatchResults` returns them instead. */
  saveBatchResults(batchId: string, path: string, format: BatchFormat = "jsonl"): Promise<void> {
    const results = `/v1/batches/${encodeURIComponent(batchId)}/results`;
    return this.save({ method: "GET", path: results, query: { format }, accept: "*/*" }, path);
  }

  /** The PDF report of a search, verification or screening. `createPdf` returns its URL instead. */
  downloadPdf(body: PdfRequest, options: PostOptions = {}): Promise<Uint8Array> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.download({ method: "POST", path: "/v1/pdf", body, accept: "application/pdf", idempotencyKey });
  }

  /** The ownership of a business in another format: statements, entities, tables or a diagram. */
  exportOwnership(businessId: string, format: "bods" | "ftm" | "csv" | "parquet" | "svg"): Promise<Uint8Array> {
    return this.download({ method: "GET", path: ownershipPath(businessId), query: { format }, accept: "*/*" });
  }

  /** Replace the declared ownership with statements of the Beneficial Ownership Data Standard, or with a table. */
  importOwnership(
    businessId: string,
    bytes: Uint8Array | string,
    type: "application/vnd.bods+json" | "text/csv",
    options: StatementOptions = {},
  ): Promise<OwnershipAnswer> {
    return this.send({ method: "PUT", path: ownershipPath(businessId), query: options, content: { bytes, type } });
  }
}

/** A file as the body of `addDocument`, `addCaseAttachment` and `addManualCheckAttachment`. */
export async function readUpload(path: string): Promise<DocumentUpload> {
  return { name: basename(path), content: (await readFile(path)).toString("base64") };
}

async function poll<T>(
  what: string,
  read: () => Promise<T>,
  isUnfinished: (result: T) => boolean,
  options: WaitOptions,
): Promise<T> {
  const timeout = options.timeoutMs ?? DEFAULT_WAIT_MS;
  const end = performance.now() + timeout;
  for (let interval = FIRST_INTERVAL_MS; ; interval = Math.min(interval * INTERVAL_GROWTH, LONGEST_INTERVAL_MS)) {
    const result = await read();
    if (!isUnfinished(result)) return result;
    const remaining = end - performance.now();
    if (remaining <= 0) throw new WaitTimedOut(`${what} is not final after ${timeout} ms.`);
    await sleep(Math.min(interval, remaining));
  }
}

function ownershipPath(businessId: string): string {
  return `/v1/businesses/${encodeURIComponent(businessId)}/ownership`;
}
