/**
 * Whether a link answers: one request to an address that was checked before it is connected to
 * (`guard.ts`), with nothing of ours in it, of whose answer only the head is read, or the beginning of a small file.
 */

import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP } from "node:net";
import type { Dns } from "#platform/ports/dns.ts";
import {
  FILE_BYTES_MAX,
  LINK_MS_MAX,
  type LinkFailure,
  type LinkOutcome,
  type Links,
} from "#platform/ports/links.ts";
import { type Cidr, resolveAllowed } from "./guard.ts";

const URL_CHARS_MAX = 2_048;
const HEADER_BYTES_MAX = 16 * 1024;
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

export interface LinkOptions {
  dns: Pick<Dns, "lookup">;
  /** Blocks that the operator has opened. */
  allowCidrs: readonly Cidr[];
  /** Replaces {@link LINK_MS_MAX}. */
  linkMs?: number;
}

export function createLinks(options: LinkOptions): Links {
  return {
    look: async (url, team) => await look(url, team, options, false),
    read: async (url, team) => await look(url, team, options, true),
  };
}

type Outcome = Extract<LinkOutcome, { kind: "failed" }> | (Answer & { kind: "answered" });

interface Answer {
  status: number;
  location: string | null;
  /** Empty unless it is wanted. */
  text: string;
}

async function look(
  text: string,
  team: string,
  options: LinkOptions,
  wantsText: boolean,
): Promise<Outcome> {
  const url = text.length > URL_CHARS_MAX ? null : URL.parse(text);
  const port = url === null ? undefined : PORTS[url.protocol];
  if (url === null || port === undefined || url.username !== "" || url.password !== "") {
    return { kind: "failed", reason: "not_a_link" };
  }
  const deadline = AbortSignal.timeout(options.linkMs ?? LINK_MS_MAX);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const found = await Promise.race([
    resolveAllowed(options.dns, { host, team }, options.allowCidrs),
    expiry(deadline),
  ]);
  if (found === null) {
    return { kind: "failed", reason: "timeout" };
  }
  if (found.kind === "refused") {
    return { kind: "failed", reason: found.why };
  }
  return await ask(url, { host, ip: found.ip, port }, deadline, wantsText);
}

function expiry(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

function ask(
  url: URL,
  { host, ip, port }: { host: string; ip: string; port: number },
  deadline: AbortSignal,
  wantsText: boolean,
): Promise<Outcome> {
  const isTls = url.protocol === "https:";
  const to = {
    method: "GET",
    host: ip,
    port: url.port === "" ? port : Number(url.port),
    path: url.pathname + url.search,
    agent: false as const,
    maxHeaderSize: HEADER_BYTES_MAX,
    headers: { Host: url.host, Accept: "*/*", Connection: "close" },
  };
  return new Promise((resolve) => {
    const trust = { servername: isIP(host) === 0 ? host : "", rejectUnauthorized: true };
    const sent = isTls ? requestTls({ ...to, ...trust }) : requestPlain(to);
    const end = (outcome: Outcome) => {
      deadline.removeEventListener("abort", expire);
      resolve(outcome);
      sent.destroy();
    };
    const expire = () => end({ kind: "failed", reason: "timeout" });
    deadline.addEventListener("abort", expire);
    sent.on("error", (error) => end({ kind: "failed", reason: reasonOf(error) }));
    sent.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      const answer = { kind: "answered" as const, status, location: headers.location ?? null };
      if (!wantsText) {
        end({ ...answer, text: "" });
        return;
      }
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > FILE_BYTES_MAX) {
          end({ ...answer, text: text.slice(0, FILE_BYTES_MAX) });
        }
      });
      response.on("end", () => end({ ...answer, text }));
      response.on("error", (error) => end({ kind: "failed", reason: reasonOf(error) }));
    });
    sent.end();
  });
}

function reasonOf(error: Error): LinkFailure {
  const code = "code" in error ? String(error.code) : "";
  if (code === "ECONNREFUSED") {
    return "refused";
  }
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? "tls" : "closed";
}
