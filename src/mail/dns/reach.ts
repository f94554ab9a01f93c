/**
 * How far one gets towards a mail server: its address, a connection, encryption. Nothing is sent that a
 * stranger might not see, and no login is tried.
 *
 * Source: RFC 3207 and RFC 3501 §6.2.1 (STARTTLS).
 */

import { connect as connectPlain } from "node:net";
import type { ReachFault } from "#domain/mailboxes/connection-advice.ts";
import { type Route, routeTo } from "#mail/connect.ts";
import type { MailOptions } from "#mail/options.ts";
import { reasonOf, serverText } from "#mail/server-text.ts";
import { Late, Wire } from "#mail/wire.ts";
import type { ServerLogin } from "#platform/ports/mail.ts";

/** Wait for a server that may be waiting for us. */
const PROBE_MS_MAX = 3_000;

export type Reach = { ok: true; note: string } | { ok: false; fault: ReachFault; words: string };

type OpenRoute = Extract<Route, { kind: "open" }>;

/** Looks a team's server up. */
export async function findServer(
  server: ServerLogin,
  team: string,
  options: Pick<MailOptions, "dns" | "allowCidrs" | "ca">,
): Promise<{ reach: Reach; route: OpenRoute | null }> {
  const route = await routeTo(server, team, options);
  if (route.kind === "refused") {
    return { reach: { ok: false, fault: faultOfRoute(route.reason), words: "" }, route: null };
  }
  return { reach: { ok: true, note: `${server.host} is ${route.ip}` }, route };
}

function faultOfRoute(reason: string): ReachFault {
  if (reason.startsWith("no answer from DNS")) {
    return "dns_silent";
  }
  if (reason.startsWith("without TLS")) {
    return "plain_remote";
  }
  return reason.endsWith("has no address") ? "no_address" : "not_allowed";
}

/** Connects, and hangs up. */
export async function touch(server: ServerLogin, route: OpenRoute, ms: number): Promise<Reach> {
  const wire = new Wire(connectPlain({ host: route.ip, port: server.port }), ms);
  try {
    await wire.once("connect");
    return { ok: true, note: `port ${server.port} answers` };
  } catch (error) {
    return failure(faultOfConnect(error), error);
  } finally {
    wire.close();
  }
}

function faultOfConnect(error: unknown): ReachFault {
  const code = codeOf(error);
  if (error instanceof Late || code === "ETIMEDOUT") {
    return "silent";
  }
  return code === "ECONNREFUSED" ? "refused" : "no_route";
}

/** Greets where the protocol does so, and goes over to TLS. */
export async function secure(
  server: ServerLogin,
  side: "smtp" | "imap",
  route: OpenRoute,
  ms: number,
): Promise<Reach> {
  const isFirst = server.security === "tls";
  const wire = new Wire(connectPlain({ host: route.ip, port: server.port }), ms);
  try {
    await wire.once("connect");
    if (!isFirst) {
      const refusal = await askForTls(wire, side, server.security);
      if (refusal !== null) {
        return refusal.fault === "silent" ? await orWantsTls(server, route, refusal, ms) : refusal;
      }
    }
    return server.security === "none"
      ? { ok: true, note: "this machine itself, without TLS" }
      : { ok: true, note: await wire.upgrade(route.tls) };
  } catch (error) {
    const fault = faultOfTls(error);
    const isUnclear = fault === "tls" || fault === "silent";
    return isFirst && isUnclear && (await speaksPlain(server, route, ms))
      ? { ok: false, fault: "speaks_plain", words: "" }
      : failure(fault, error);
  } finally {
    wire.close();
  }
}

/** Null when the server is ready for TLS, or for talk without it. */
async function askForTls(
  wire: Wire,
  side: "smtp" | "imap",
  security: ServerLogin["security"],
): Promise<Extract<Reach, { ok: false }> | null> {
  const dialogue = side === "smtp" ? SMTP : IMAP;
  let greeting: string;
  try {
    greeting = await wire.read(dialogue.greeting);
  } catch (error) {
    if (error instanceof Late) {
      return { ok: false, fault: "silent", words: "no greeting" };
    }
    return { ok: false, fault: "other_service", words: reasonOf(error) };
  }
  if (!dialogue.welcome.test(greeting)) {
    const fault = dialogue.refusal.test(greeting) ? "turned_away" : "other_service";
    return { ok: false, fault, words: serverText(greeting) };
  }
  if (security === "none") {
    return null;
  }
  for (const { say, until, agrees } of dialogue.steps) {
    wire.write(say);
    const reply = await wire.read(until);
    if (!agrees.test(reply)) {
      return { ok: false, fault: "no_starttls", words: serverText(lastLine(reply)) };
    }
  }
  return null;
}

interface Dialogue {
  /** Matches what has been read once the greeting is whole. */
  greeting: RegExp;
  welcome: RegExp;
  refusal: RegExp;
  steps: readonly { say: string; until: RegExp; agrees: RegExp }[];
}

const REPLY = /^(?:\d{3}-[^\n]*\n)*\d{3}[ \r\n][^\n]*\n?$/;
const SMTP: Dialogue = {
  greeting: /^(?:\d{3}-[^\n]*\n)*(?!\d{3}-)[^\n]*\n/,
  welcome: /^220/,
  refusal: /^[45]\d\d/,
  steps: [
    { say: "EHLO [127.0.0.1]\r\n", until: REPLY, agrees: /^250[ -]STARTTLS\b/im },
    { say: "STARTTLS\r\n", until: REPLY, agrees: /^220/ },
  ],
};
const IMAP: Dialogue = {
  greeting: /^[^\n]*\n/,
  welcome: /^\* (OK|PREAUTH)/i,
  refusal: /^\* BYE/i,
  steps: [{ say: "a STARTTLS\r\n", until: /^a [^\n]*\n/im, agrees: /^a OK/im }],
};

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

/** A server that says nothing may be waiting for TLS. */
async function orWantsTls(
  server: ServerLogin,
  route: OpenRoute,
  refusal: Extract<Reach, { ok: false }>,
  ms: number,
): Promise<Reach> {
  const wire = new Wire(
    connectPlain({ host: route.ip, port: server.port }),
    Math.min(PROBE_MS_MAX, ms),
  );
  try {
    await wire.once("connect");
    await wire.upgrade({ ...route.tls, rejectUnauthorized: false });
    return { ok: false, fault: "wants_tls", words: "" };
  } catch {
    return refusal;
  } finally {
    wire.close();
  }
}

/** A server that greets by itself does not wait for TLS. */
async function speaksPlain(server: ServerLogin, route: OpenRoute, ms: number): Promise<boolean> {
  const wire = new Wire(
    connectPlain({ host: route.ip, port: server.port }),
    Math.min(PROBE_MS_MAX, ms),
  );
  try {
    await wire.once("connect");
    return /^(220|\* OK|[45]\d\d|\* BYE)/i.test(await wire.read(/\n/));
  } catch {
    return false;
  } finally {
    wire.close();
  }
}

/** OpenSSL's names of what is wrong with a certificate. */
const CERTIFICATE_FAULTS: Readonly<Record<string, ReachFault>> = {
  CERT_HAS_EXPIRED: "certificate_expired",
  CERT_NOT_YET_VALID: "certificate_early",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_own",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate_issuer",
  UNABLE_TO_GET_ISSUER_CERT: "certificate_issuer",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate_issuer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_issuer",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_name",
};

function faultOfTls(error: unknown): ReachFault {
  if (error instanceof Late) {
    return "silent";
  }
  const known = CERTIFICATE_FAULTS[codeOf(error)];
  return known ?? "tls";
}

function failure(fault: ReachFault, error: unknown): Reach {
  const isTold = fault.startsWith("certificate") || error instanceof Late;
  return { ok: false, fault, words: isTold ? "" : reasonOf(error) };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
