import { createPublicKey, verify as verifySignature } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { Webhook } from "standardwebhooks";

import { InvalidWebhook } from "./errors.js";
import type { Event } from "./types.gen.js";

/** The headers of a request, as Node.js and the Fetch API have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

type Verifier = (body: Buffer, headers: Record<string, string>) => void;

const SECRET_PREFIX = "whsec_";
const PUBLIC_KEY_PREFIX = "whpk_";
const PUBLIC_KEY_BYTES = 32;
/** The greatest difference between the time of a webhook and the clock of the receiver. */
const TOLERANCE_S = 300;

/**
 * The event of a webhook, after its signature has been verified.
 *
 * `body` is the unchanged body of the request. `key` is the secret of the endpoint (`whsec_…`) or, if its `signing` is `ed25519`, its
 * public key (`whpk_…`). Throws `InvalidWebhook` if no signature fits, or if the webhook is more than five minutes old, and `TypeError`
 * for another key. Events can arrive more than once: store them under their `id`.
 */
export function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, key: string): Event {
  const verify = openVerifier(key);
  const bytes = Buffer.from(body);
  try {
    verify(bytes, flatten(headers));
    return (JSON.parse(bytes.toString()) as { data: Event }).data;
  } catch (error) {
    throw new InvalidWebhook(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function openVerifier(key: string): Verifier {
  if (key.startsWith(SECRET_PREFIX)) {
    const webhook = new Webhook(key);
    return (body, headers) => webhook.verify(body.toString(), headers);
  }
  if (key.startsWith(PUBLIC_KEY_PREFIX)) {
    const publicKey = readPublicKey(key.slice(PUBLIC_KEY_PREFIX.length));
    return (body, headers) => verifyByPublicKey(publicKey, body, headers);
  }
  throw new TypeError(`The key of a webhook endpoint begins with ${SECRET_PREFIX} or ${PUBLIC_KEY_PREFIX}.`);
}

function readPublicKey(encoded: string): KeyObject {
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length !== PUBLIC_KEY_BYTES) throw new TypeError(`A public key has ${PUBLIC_KEY_BYTES} bytes, not ${bytes.length}.`);
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") }, format: "jwk" });
}

function verifyByPublicKey(publicKey: KeyObject, body: Buffer, headers: Record<string, string>): void {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  const signatures = headers["webhook-signature"] ?? "";
  if (id === "" || timestamp === "" || signatures === "") throw new Error("A header is missing.");
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  // An age that is no number is not within the tolerance either.
  if (!(age <= TOLERANCE_S)) throw new Error("The webhook is too old or too new.");
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isSigned = signatures
    .split(" ")
    .map((signature) => signature.split(","))
    .some(
      ([version, encoded]) => version === "v1a" && verifySignature(null, content, publicKey, Buffer.from(encoded ?? "", "base64")),
    );
  if (!isSigned) throw new Error("No signature fits.");
}

function flatten(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value ?? "")]));
}
