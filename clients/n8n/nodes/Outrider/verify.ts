import { createHmac, timingSafeEqual } from "node:crypto";

const AGE_SECONDS_MAX = 300;

/** True if Outrider sent this body in the last five minutes. */
export function isGenuine(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: Uint8Array,
  nowSeconds: number,
): boolean {
  const text = (name: string) => String(headers[name] ?? "");
  const [id, time] = [text("webhook-id"), text("webhook-timestamp")];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
  const isSigned = text("webhook-signature")
    .split(" ")
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
      return given.length === right.length && timingSafeEqual(given, right);
    });
  return isSigned && Math.abs(nowSeconds - Number(time)) <= AGE_SECONDS_MAX;
}
