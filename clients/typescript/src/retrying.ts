import type { ApiRequest } from "./requests.js";
import { isRepeatable } from "./requests.js";

/** How often a request is sent again, and how long the client waits before. */
export interface RetryPolicy {
  /** The number of further attempts after the first. 0 switches retries off. */
  maxRetries: number;
  /** The wait before the second attempt. It doubles with each attempt, and is random from half of it to all of it. */
  firstWaitMs: number;
  /** The longest wait. A response whose `Retry-After` is longer is not retried. */
  maxWaitMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxRetries: 4, firstWaitMs: 500, maxWaitMs: 60_000 };

/** Statuses of requests that were refused before their work began. */
const NOTHING_WAS_DONE = new Set([429, 503]);
const MAY_SUCCEED_LATER = new Set([408, 500, 502, 504]);
const CONFLICT = 409;

/** The attempts of one request. */
export class RetryState {
  private attempts = 0;
  /** Whether the outcome of an earlier attempt is unknown. */
  private wasInterrupted = false;

  constructor(
    private readonly policy: RetryPolicy,
    private readonly request: ApiRequest,
  ) {}

  /** The milliseconds to wait before the next attempt; null if the response is final. */
  decideAfterResponse(status: number, retryAfter: string | null): number | null {
    const isRetried =
      NOTHING_WAS_DONE.has(status) ||
      (MAY_SUCCEED_LATER.has(status) && isRepeatable(this.request)) ||
      // The first attempt can still be in progress.
      (status === CONFLICT && this.wasInterrupted && this.request.idempotencyKey !== undefined);
    if (MAY_SUCCEED_LATER.has(status)) this.wasInterrupted = true;
    return isRetried ? this.computeWait(retryAfter) : null;
  }

  /** The milliseconds to wait before the next attempt after a broken connection; null if there is none. */
  decideAfterFailure(wasSent: boolean): number | null {
    if (wasSent && !isRepeatable(this.request)) return null;
    this.wasInterrupted ||= wasSent;
    return this.computeWait(null);
  }

  private computeWait(retryAfter: string | null): number | null {
    this.attempts += 1;
    if (this.attempts > this.policy.maxRetries) return null;
    const backoff = this.policy.firstWaitMs * 2 ** (this.attempts - 1) * (0.5 + Math.random() / 2);
    let wait = Math.min(backoff, this.policy.maxWaitMs);
    if (retryAfter !== null) wait = Math.max(wait, parseRetryAfter(retryAfter));
    return wait <= this.policy.maxWaitMs ? wait : null;
  }
}

/** The milliseconds of a `Retry-After`: seconds, as the service sends, or a time, as a proxy may send; 0 for another text. */
function parseRetryAfter(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time - Date.now();
}
