export { BonafideClient, readUpload } from "./client.js";
export type { BatchUploadOptions, StatementOptions, WaitOptions } from "./client.js";
export {
  ApiError,
  BonafideClientError,
  ConnectionFailed,
  InvalidWebhook,
  UnexpectedResponse,
  VerificationNotMade,
  WaitTimedOut,
} from "./errors.js";
export type { FieldError } from "./errors.js";
export { CursorItems, OffsetItems } from "./paging.js";
export type { PostOptions } from "./requests.js";
export type { RetryPolicy } from "./retrying.js";
export type { ClientOptions } from "./transport.js";
export type * from "./types.gen.js";
export { VERSION } from "./version.gen.js";
export { verifyWebhook } from "./webhooks.js";
export type { WebhookHeaders } from "./webhooks.js";
