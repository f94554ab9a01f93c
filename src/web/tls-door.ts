/**
 * The installation's own doors to the internet, where it has certificates: HTTPS, and HTTP for the
 * authority's questions and to lead people to HTTPS, but no programs. Under the public address they lead to
 * everything; under a team's host to what emails link to, and to nothing else.
 */

import { messageOf } from "#domain/thrown.ts";
import type { Publish } from "#platform/acme/authority.ts";
import type { StoredCertificate } from "#platform/acme/certificate-files.ts";
import type { Log } from "#platform/log.ts";
import { STYLE_PATH } from "./page.ts";

export interface TlsDoorOptions {
  /** The server behind it, which answers everything. */
  serve: Answer;
  /** Of sizes and times, for Bun's server. */
  limits: { maxRequestBodySize: number; idleTimeout: number };
  /** Host of the public address; null where it is not one of HTTPS. */
  publicHost: string | null;
  httpPort: number;
  httpsPort: number;
  log: Log;
}

export interface TlsDoor {
  publish: Publish;
  /** Serves these from now on: what is under way ends as it began. */
  serve(certificates: readonly StoredCertificate[]): void;
  /** Why a door is shut; null: none is. */
  failure(): string | null;
  /** Lets in nobody else; cuts who is there, or resolves when they have gone. */
  stop(now: boolean): Promise<void>;
}

const CHALLENGE = "/.well-known/acme-challenge/";
/** Called by programs, with keys that should never go out in clear: they would follow a redirect and notice nothing. */
const PROGRAM_PATHS = /^\/(?:api|hooks|mcp|metrics|sdk)(?:\/|$)/;
/** A year, for the public address alone: below it, and at teams' hosts, may be servers that aren't ours. */
const HTTPS_ONLY = "max-age=31536000";
/** Of TLS 1.2: those that authenticate what they encrypt, for the keys that we order certificates for. */
const CIPHERS =
  "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256";
const EMAIL_PATHS = /^\/(?:u|t\/[oc])\/[^/]+$/;
/** IPv6 and IPv4, or what the machine has. */
const EVERYWHERE = ["::", "0.0.0.0"];

type Answer = (request: Request) => Response | Promise<Response>;
type Door = ReturnType<typeof Bun.serve>;

export function createTlsDoor(options: TlsDoorOptions): TlsDoor {
  const { serve, limits, publicHost, httpPort, httpsPort, log } = options;
  const answers = new Map<string, string>();
  let hosts: ReadonlySet<string> = new Set();
  let served = "";
  let http: Door | null = null;
  let https: Door | null = null;
  const failures = new Map<number, string>();

  const plain = (request: Request): Response => {
    const url = new URL(request.url);
    const answer = url.pathname.startsWith(CHALLENGE)
      ? answers.get(url.pathname.slice(CHALLENGE.length))
      : undefined;
    if (answer !== undefined) {
      return new Response(answer, { headers: { "Content-Type": "application/octet-stream" } });
    }
    if (!hosts.has(url.hostname)) {
      return new Response("Not found\n", { status: 404 });
    }
    if (PROGRAM_PATHS.test(url.pathname) || request.headers.has("authorization")) {
      return new Response("Use https\n", { status: 403 });
    }
    url.protocol = "https:";
    url.port = String(httpsPort);
    return Response.redirect(url.href, 308);
  };
  const secure: Answer = async (request) => {
    const { hostname, pathname } = new URL(request.url);
    const isOfEmails = EMAIL_PATHS.test(pathname) || pathname === STYLE_PATH;
    if (hostname !== publicHost && !(hosts.has(hostname) && isOfEmails)) {
      return new Response("Not found\n", { status: 404 });
    }
    // Elysia looks for the path where `http://` ends; another request would have no peer.
    const url = request.url.replace(/^https:/, "http:");
    const response = await serve(Object.defineProperty(request, "url", { value: url }));
    if (hostname === publicHost) {
      response.headers.set("Strict-Transport-Security", HTTPS_ONLY);
    }
    return response;
  };
  const listen = (port: number, fetch: Answer, tls?: Bun.TLSOptions[]): Door | null => {
    let cause = "";
    for (const hostname of EVERYWHERE) {
      try {
        const door = Bun.serve({ ...limits, hostname, port, fetch, ...(tls && { tls }) });
        failures.delete(port);
        return door;
      } catch (error) {
        cause = `can't listen on port ${port}: ${messageOf(error)}`;
      }
    }
    if (failures.get(port) !== cause) {
      log.error("a public port is not served", { cause });
    }
    failures.set(port, cause);
    return null;
  };

  return {
    publish: (token, answer) => {
      if (answer === null) {
        answers.delete(token);
      } else {
        answers.set(token, answer);
      }
    },
    serve: (certificates) => {
      http ??= listen(httpPort, plain);
      const tls = certificates.map(({ host, key, chain }) => ({
        serverName: host,
        key,
        cert: chain,
        ciphers: CIPHERS,
      }));
      const wanted = JSON.stringify(tls);
      if (tls.length === 0 || (https !== null && wanted === served)) {
        return;
      }
      // Certificates are given to a port when it is opened.
      void https?.stop(false);
      https = listen(httpsPort, secure, tls);
      served = wanted;
      hosts = new Set(certificates.map(({ host }) => host));
    },
    failure: () => [...failures.values()].join("; ") || null,
    stop: async (now) => {
      await Promise.all([http?.stop(now), https?.stop(now)]);
    },
  };
}
