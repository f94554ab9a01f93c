/**
 * Outgoing HTTP to addresses that users name. The name is resolved once for each request, its addresses
 * are checked (`guard.ts`), and the connection goes to the one that was checked: there is no second look-up
 * for the other side to answer differently. TLS is verified against the name. Connections are never
 * reused, since a kept one would skip the judgement; proxies of the environment are not used.
 *
 * Plain `http:` reaches only blocks that the operator has opened.
 *
 * Source: `node:http` takes an address to connect to beside the name that is asked for, which `fetch` does
 * not; the rest is ours (`docs/adr/dns-and-connections.md`).
 */

import { type IncomingMessage, type RequestOptions, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP } from "node:net";
import tls from "node:tls";
import type { Dns } from "#platform/ports/dns.ts";
import {
  type Http,
  type HttpFailure,
  type HttpOutcome,
  POST_MS_MAX,
  type PostRequest,
  URL_LENGTH_MAX,
} from "#platform/ports/http.ts";
import { allowsAddress, type Cidr, liesIn, resolveAllowed } from "./guard.ts";

/** Until the connection stands, TLS included. */
const CONNECT_MS_MAX = 5_000;
/** Of a body, that is read at all. */
const BODY_BYTES_MAX = 64 * 1024;
const EXCERPT_CHARS_MAX = 1_024;

export interface HttpOptions {
  dns: Pick<Dns, "lookup">;
  /** Blocks that the operator has opened. */
  allowCidrs: readonly Cidr[];
  /** PEM of an authority besides the public ones. */
  ca?: string;
  /** Replace {@link CONNECT_MS_MAX} and {@link POST_MS_MAX}. */
  connectMs?: number;
  postMs?: number;
}

export function createHttp(options: HttpOptions): Http {
  return {
    check: (url) => fault(url, options.allowCidrs),
    post: (request) => post(request, options),
  };
}

/** Names that are nobody's on the open network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa|onion|intranet|corp|home)$/;
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\\]/u;

function fault(text: string, allowed: readonly Cidr[]): string | null {
  if (text.length > URL_LENGTH_MAX) {
    return `must have at most ${URL_LENGTH_MAX} characters`;
  }
  const url = FORBIDDEN.test(text) ? null : URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be a URL like https://example.com/hooks";
  }
  if (url.username !== "" || url.password !== "") {
    return "must not contain a user name or password, because they would be logged; verify the signature instead";
  }
  if (url.hash !== "" || text.includes("#")) {
    return "must not have a fragment (#…), because it's never sent";
  }
  if (url.protocol === "http:" && allowed.length === 0) {
    return "must be https";
  }
  return faultOfHost(nameOf(url), allowed);
}

/** `allowed` may hold the addresses of local names: then what they resolve to is checked, at each try. */
function faultOfHost(host: string, allowed: readonly Cidr[]): string | null {
  if (isIP(host) !== 0) {
    return allowsAddress(host, allowed)
      ? null
      : "is a private or reserved address; ask the operator to allow it with allow_cidrs";
  }
  const isLocal = !host.includes(".") || LOCAL_NAME.test(host);
  return isLocal && allowed.length === 0
    ? "names a private host; ask the operator to allow its address with allow_cidrs"
    : null;
}

/** The host without brackets and without a dot at its end. WHATWG has decoded numbers and IDNA already. */
function nameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

async function post(request: PostRequest, options: HttpOptions): Promise<HttpOutcome> {
  const url = URL.parse(request.url);
  if (url === null || fault(request.url, options.allowCidrs) !== null) {
    return { kind: "failed", reason: "address_not_allowed" };
  }
  const host = nameOf(url);
  const deadline = AbortSignal.timeout(options.postMs ?? POST_MS_MAX);
  const looking = resolveAllowed(options.dns, { host, team: request.teamId }, options.allowCidrs);
  const late = { kind: "refused", why: "timeout" } as const;
  const found = await unless(deadline, looking, late);
  if (found.kind === "refused") {
    return { kind: "failed", reason: found.why };
  }
  if (url.protocol === "http:" && !liesIn(found.ip, options.allowCidrs)) {
    return { kind: "failed", reason: "address_not_allowed" };
  }
  return await exchange(request, { url, host, ip: found.ip }, options, deadline);
}

interface Target {
  url: URL;
  host: string;
  ip: string;
}

function exchange(
  { headers, body }: PostRequest,
  { url, host, ip }: Target,
  options: HttpOptions,
  deadline: AbortSignal,
): Promise<HttpOutcome> {
  const isTls = url.protocol === "https:";
  const bytes = Buffer.from(body);
  const to: RequestOptions = {
    method: "POST",
    host: ip,
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    agent: false,
    headers: {
      ...headers,
      Host: url.host,
      "Content-Length": bytes.byteLength,
      "Accept-Encoding": "identity",
      Connection: "close",
    },
  };
  const trust = {
    minVersion: "TLSv1.2" as const,
    rejectUnauthorized: true,
    servername: isIP(host) === 0 ? host : "",
    ...(options.ca === undefined ? {} : { ca: [...tls.rootCertificates, options.ca] }),
  };
  return new Promise((resolve) => {
    const sent = isTls ? requestTls({ ...to, ...trust }) : requestPlain(to);
    const connecting = AbortSignal.timeout(options.connectMs ?? CONNECT_MS_MAX);
    const expire = () => fail("timeout");
    const connected = () => connecting.removeEventListener("abort", expire);
    const end = (outcome: HttpOutcome) => {
      connected();
      deadline.removeEventListener("abort", expire);
      resolve(outcome);
      sent.destroy();
    };
    const fail = (reason: HttpFailure) => end({ kind: "failed", reason });
    connecting.addEventListener("abort", expire);
    deadline.addEventListener("abort", expire);
    sent.on("socket", (socket) => socket.once(isTls ? "secureConnect" : "connect", connected));
    sent.on("error", (error) => fail(reasonOf(error)));
    sent.on("response", (answer) => readResponse(answer, end));
    sent.end(bytes);
  });
}

/** The status is what counts: a body that breaks off or does not end has done its service. */
function readResponse(answer: IncomingMessage, end: (outcome: HttpOutcome) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const done = () =>
    end({
      kind: "answered",
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers["retry-after"] ?? null,
      excerpt: answer.headers["content-encoding"] === undefined ? excerptOf(chunks) : "",
    });
  answer.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) {
      end({ kind: "failed", reason: "too_large" });
      return;
    }
    chunks.push(chunk);
  });
  answer.on("end", done);
  answer.on("error", () => end({ kind: "failed", reason: "closed" }));
}

/** Decoded as UTF-8, without control characters, so that it can be shown anywhere. */
function excerptOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks)
    .subarray(0, 4 * EXCERPT_CHARS_MAX)
    .toString("utf8");
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, " ").slice(0, EXCERPT_CHARS_MAX);
}

const REASONS: Readonly<Record<string, HttpFailure>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  EADDRNOTAVAIL: "refused",
  EACCES: "refused",
  EPERM: "refused",
  ETIMEDOUT: "timeout",
  ECONNRESET: "closed",
  ECONNABORTED: "closed",
  EPIPE: "closed",
  ABORT_ERR: "timeout",
};

function reasonOf(error: Error): HttpFailure {
  const code = "code" in error ? String(error.code) : "";
  const known = REASONS[code];
  if (known !== undefined) {
    return known;
  }
  if (code.startsWith("HPE_")) {
    return "protocol";
  }
  return /TLS|SSL|CERT|SIGNATURE|ISSUER/.test(code) ? "tls" : "closed";
}

/** What `work` comes to, or `otherwise` once `deadline` has passed. */
async function unless<Result, Late>(
  deadline: AbortSignal,
  work: Promise<Result>,
  otherwise: Late,
): Promise<Result | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>();
  const expire = () => resolve(otherwise);
  deadline.addEventListener("abort", expire);
  try {
    return await Promise.race([work, promise]);
  } finally {
    deadline.removeEventListener("abort", expire);
  }
}
