/** The base class of all errors of this client. */
export class BonafideClientError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What is wrong with one field of a request. */
export interface FieldError {
  path: string;
  message: string;
}

/** The service refused a request, or failed and the retries have ended. */
export class ApiError extends BonafideClientError {
  /** A stable code for programs, such as `VALIDATION_ERROR`. */
  readonly code: string;
  /** Quote it when you report a problem. */
  readonly requestId: string;
  /** The invalid fields of a request with status 400. */
  readonly details: FieldError[];

  constructor(
    readonly status: number,
    body: unknown,
    readonly headers: Headers,
  ) {
    const known = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    const code = String(known["code"] ?? "UNKNOWN");
    const requestId = String(known["requestId"] ?? headers.get("X-Request-Id") ?? "");
    super(`${status} ${code}: ${String(known["error"] ?? "The service sent no reason.")} (request ${requestId})`);
    this.code = code;
    this.requestId = requestId;
    this.details = (known["details"] ?? []) as FieldError[];
  }
}

/** No response arrived, and the retries have ended. */
export class ConnectionFailed extends BonafideClientError {}

/** A response is not what the API describes, for example that of a proxy. */
export class UnexpectedResponse extends BonafideClientError {}

/** A result was not final in the time that the caller allowed. It can still become final. */
export class WaitTimedOut extends BonafideClientError {}

/** A verification failed. The message is the reason and what a person can do. */
export class VerificationNotMade extends BonafideClientError {}

/** A webhook has no valid signature, or is too old: respond with 401 and ignore it. */
export class InvalidWebhook extends BonafideClientError {}
