/**
 * A certificate authority that is asked by ACME, and proves by HTTP-01 that a host is ours. It knows an
 * account by its key alone, so that nothing else has to be kept.
 *
 * Source: RFC 8555; its signatures are RFC 7515 with ES256 (RFC 7518 §3.4), thumbprints RFC 7638.
 */

import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { messageOf } from "#domain/thrown.ts";
import { SECOND_MS } from "#domain/time.ts";
import type { Fetch } from "#platform/http/fetch.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import { signingRequest } from "./signing-request.ts";

export interface AuthorityOptions {
  /** Where its directory lies. */
  directory: string;
  /** Whom it may write to; null: nobody. */
  email: string | null;
  accountKey: KeyObject;
  fetch: Fetch;
  /** Ends what is under way. */
  signal: AbortSignal;
}

/** Lets the authority see `answer` under `/.well-known/acme-challenge/<token>`; null: no more. */
export type Publish = (token: string, answer: string | null) => void;

/** A certificate that could not be had. */
export class CertificateRefused extends Error {
  /** It is about the authority or our account there; no other host would fare better now. */
  readonly isForAll: boolean;
  /** The authority wants to hear nothing for so long; 0: it did not say. */
  readonly retryAfterMs: number;

  constructor(message: string, { isForAll = false, retryAfterMs = 0 } = {}) {
    super(message);
    this.isForAll = isForAll;
    this.retryAfterMs = retryAfterMs;
  }
}

const REQUEST_MS_MAX = 20 * SECOND_MS;
const BYTES_MAX = 256 * 1024;
/** A nonce that was refused is replaced by the one in the refusal (§6.5). */
const NONCES_MAX = 12;
const POLLS_MAX = 30;
const POLL_MS = SECOND_MS;
const POLL_MS_MAX = 10 * SECOND_MS;

interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** RFC 7807. */
interface Problem {
  type?: string;
  detail?: string;
}

interface Resource {
  status?: string;
  authorizations?: string[];
  finalize?: string;
  certificate?: string;
  challenges?: { type: string; url: string; token: string; error?: { detail?: string } }[];
  error?: { detail?: string };
}

/** The chain in PEM, of a certificate for `host` and `key`. Throws {@link CertificateRefused}. */
export async function obtainCertificate(
  options: AuthorityOptions,
  host: string,
  key: KeyObject,
  publish: Publish,
): Promise<string> {
  const session = await openSession(options);
  const contact = options.email === null ? {} : { contact: [`mailto:${options.email}`] };
  const account = await session.post("newAccount", { termsOfServiceAgreed: true, ...contact });
  session.account = required(account.headers.get("location"), "account");
  const placed = await session.post("newOrder", { identifiers: [{ type: "dns", value: host }] });
  const orderUrl = required(placed.headers.get("location"), "order");
  for (const url of readResource(placed).authorizations ?? []) {
    await authorize(session, url, publish);
  }
  const { finalize } = await settled(session, orderUrl, ["pending"]);
  const csr = signingRequest(host, key).toString("base64url");
  await session.post(required(finalize, "finalize"), { csr });
  const done = await settled(session, orderUrl, ["pending", "ready", "processing"]);
  const chain = await session.post(required(done.certificate, "certificate"), null);
  return Buffer.from(chain.body).toString("utf8");
}

async function authorize(session: Session, url: string, publish: Publish): Promise<void> {
  const { status, challenges = [] } = readResource(await session.post(url, null));
  if (status === "valid") {
    return;
  }
  const challenge = challenges.find(({ type }) => type === "http-01");
  if (challenge === undefined || !/^[\w-]{16,200}$/.test(challenge.token)) {
    throw new CertificateRefused("the CA offers no HTTP-01 challenge for this host");
  }
  publish(challenge.token, `${challenge.token}.${session.thumbprint}`);
  try {
    await session.post(challenge.url, {});
    await settled(session, url, ["pending"]);
  } finally {
    publish(challenge.token, null);
  }
}

/** Asks until `url` has another status than those of `waiting`. Throws where that is no good one. */
async function settled(
  session: Session,
  url: string,
  waiting: readonly string[],
): Promise<Resource> {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const answer = await session.post(url, null);
    const resource = readResource(answer);
    const { status = "", challenges = [], error } = resource;
    if (status === "valid" || status === "ready") {
      if (!waiting.includes(status)) {
        return resource;
      }
    } else if (!waiting.includes(status)) {
      const causes = [error, ...challenges.map((challenge) => challenge.error)];
      const detail = causes.find((cause) => cause?.detail !== undefined)?.detail;
      throw new CertificateRefused(detail ?? `the CA says the order is "${status}"`);
    }
    const wait = retryAfter(answer.headers) || POLL_MS;
    await pause(Math.min(wait, POLL_MS_MAX), session.signal);
  }
  throw new CertificateRefused("the CA did not decide in time");
}

interface Session {
  /** URL of the account, once it is known: then it signs instead of the key. */
  account: string | null;
  thumbprint: string;
  signal: AbortSignal;
  /** `to` is a name in the directory or a URL; null asks for what lies there. */
  post(to: string, payload: object | null): Promise<Answer>;
}

async function openSession(options: AuthorityOptions): Promise<Session> {
  const { accountKey, signal } = options;
  const { kty, crv, x, y } = createPublicKey(accountKey).export({ format: "jwk" });
  const jwk = { crv, kty, x, y };
  const found = await ask(options, options.directory, {});
  const directory = readJson(found.body) as Readonly<Record<string, string | undefined>>;
  let nonce: string | null = null;
  const session: Session = {
    account: null,
    thumbprint: createHash("sha256").update(JSON.stringify(jwk)).digest("base64url"),
    signal,
    post: async (to, payload) => {
      const url = URL.canParse(to) ? to : required(directory[to], to);
      for (let round = 0; ; round += 1) {
        nonce ??= await firstNonce(options, directory["newNonce"]);
        const by = session.account === null ? { jwk } : { kid: session.account };
        const body = signed(accountKey, { alg: "ES256", nonce, url, ...by }, payload);
        const answer = await ask(options, url, { method: "POST", headers: JOSE, body });
        nonce = answer.headers.get("replay-nonce");
        if (answer.status < 400) {
          return answer;
        }
        const problem: Problem = readJson(answer.body);
        if (!problem.type?.endsWith(":badNonce") || round >= NONCES_MAX) {
          // A limit may be that of one host's domain: it must not hold up the others.
          throw refusalOf(answer, problem, session.account === null);
        }
      }
    },
  };
  return session;
}

const JOSE = { "Content-Type": "application/jose+json" };

async function firstNonce(options: AuthorityOptions, url: string | undefined) {
  const { headers } = await ask(options, required(url, "nonce"), { method: "HEAD" });
  return headers.get("replay-nonce");
}

function signed(key: KeyObject, head: object, payload: object | null): string {
  const [protectedHead, content] = [encode(head), payload === null ? "" : encode(payload)];
  const input = Buffer.from(`${protectedHead}.${content}`);
  const signature = sign("sha256", input, { key, dsaEncoding: "ieee-p1363" });
  return JSON.stringify({
    protected: protectedHead,
    payload: content,
    signature: signature.toString("base64url"),
  });
}

function refusalOf(answer: Answer, problem: Problem, isForAll: boolean): CertificateRefused {
  return new CertificateRefused(problem.detail ?? `the CA returned status ${answer.status}`, {
    isForAll: isForAll || answer.status >= 500,
    retryAfterMs: retryAfter(answer.headers),
  });
}

/** Throws where the authority cannot be reached, which is never about one host. */
async function ask(
  { fetch, signal }: AuthorityOptions,
  url: string,
  init: RequestInit,
): Promise<Answer> {
  try {
    const late = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS_MAX)]);
    const response = await fetch(url, { ...init, signal: late });
    const body =
      response.body === null ? new Uint8Array() : await readAtMost(response.body, BYTES_MAX);
    if (body === null || (init.method !== "POST" && !response.ok)) {
      throw new Error(`it returned status ${response.status}, or too much`);
    }
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    const { origin } = new URL(url);
    const message = `the CA at ${origin} can't be reached: ${messageOf(error)}`;
    throw new CertificateRefused(message, { isForAll: true });
  }
}

function readResource({ body }: Answer): Resource {
  return readJson(body) as Resource;
}

function readJson(body: Uint8Array): object {
  try {
    return Object(JSON.parse(Buffer.from(body).toString("utf8"))) as object;
  } catch {
    return {};
  }
}

function required(value: string | null | undefined, what: string): string {
  if (typeof value !== "string" || !URL.canParse(value)) {
    throw new CertificateRefused(`the CA names no ${what}`, { isForAll: true });
  }
  return value;
}

const RETRY_SECONDS_MAX = 7 * 24 * 60 * 60;

/** In milliseconds; 0 where it is a date or missing. */
function retryAfter(headers: Headers): number {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), RETRY_SECONDS_MAX) * SECOND_MS : 0;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return new Promise((resolve) => {
    if (either.aborted) {
      resolve();
    }
    either.addEventListener("abort", () => resolve(), { once: true });
  });
}
