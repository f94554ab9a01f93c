/**
 * Licence keys: a plan for one team, signed, so that an installation without a network can check it.
 * `key/<payload>.<signature>`, both base64url, the signature (Ed25519) over the text `key/<payload>`.
 *
 * Source: the layout is that of Keygen's signed keys; the payload is ours.
 */

import { isPlan, LIMITS, type Limits, mergeLimits, type Plan } from "#domain/sending/plan.ts";
import { fromIso, type UnixMs } from "#domain/time.ts";

const PREFIX = "key/";
/** Far more than a payload with every limit takes. */
const LENGTH_MAX = 4_096;
const VERSION = 1;

/** What a licence says. Instants are ISO 8601 on the wire. */
export interface Licence {
  id: string;
  /** The team that it is for; null: whichever adds it first. */
  team: string | null;
  /** Who it was issued to, in words. */
  holder: string;
  plan: Plan;
  limits: Partial<Limits> | null;
  startsAt: UnixMs;
  endsAt: UnixMs;
}

/** The parts of a licence key, before anything about them is believed. */
export interface SignedText {
  /** What was signed. */
  signed: string;
  payload: string;
  signature: string;
}

/** Takes a pasted key apart, however its lines were broken; null where it is no key at all. */
export function splitLicenceKey(pasted: string): SignedText | null {
  if (pasted.length > LENGTH_MAX) {
    return null;
  }
  const key = pasted.replace(/\s+/g, "");
  const parts = /^key\/([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(key);
  const [, payload, signature] = parts ?? [];
  return payload === undefined || signature === undefined
    ? null
    : { signed: `${PREFIX}${payload}`, payload, signature };
}

/** The text to sign for a payload that is base64url of {@link licenceJson}. */
export function signedText(payload: string): string {
  return `${PREFIX}${payload}`;
}

export function licenceJson(licence: Licence, toIso: (at: UnixMs) => string): string {
  return JSON.stringify({
    v: VERSION,
    id: licence.id,
    sub: licence.team,
    name: licence.holder,
    plan: licence.plan,
    limits: licence.limits,
    nbf: toIso(licence.startsAt),
    exp: toIso(licence.endsAt),
  });
}

/** What a payload whose signature holds says; null where it says nothing that this version knows. */
export function readLicence(json: string): Licence | null {
  try {
    const said = JSON.parse(json) as Record<string, unknown>;
    const { v, id, sub, name, plan, limits, nbf, exp } = said;
    const isKnown = v === VERSION && typeof id === "string" && typeof name === "string";
    if (!isKnown || !isPlan(plan) || typeof nbf !== "string" || typeof exp !== "string") {
      return null;
    }
    return {
      id,
      team: typeof sub === "string" ? sub : null,
      holder: name,
      plan,
      limits: limits === null || limits === undefined ? null : readLimits(limits),
      startsAt: fromIso(nbf, "nbf"),
      endsAt: fromIso(exp, "exp"),
    };
  } catch {
    return null;
  }
}

function readLimits(given: unknown): Partial<Limits> {
  const none = Object.fromEntries(LIMITS.map((name) => [name, null])) as unknown as Limits;
  const merged = mergeLimits(none, given);
  const named = Object.keys(given as object);
  return Object.fromEntries(Object.entries(merged).filter(([name]) => named.includes(name)));
}
