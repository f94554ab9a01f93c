/** The way to a mail server, the same for SMTP and IMAP: which address, and with which trust. */

import { isIP } from "node:net";
import tls, { type ConnectionOptions, type SecureContext } from "node:tls";
import { isLoopback, resolveAllowed } from "#platform/http/guard.ts";
import type { ServerLogin } from "#platform/ports/mail.ts";
import type { MailOptions } from "./options.ts";

export type Route =
  | { kind: "open"; ip: string; tls: ConnectionOptions }
  | { kind: "refused"; reason: string };

/**
 * Resolves and checks the address of a team's server. The connection goes to `ip`; the certificate is checked
 * against the name that the user gave. Without TLS only this machine itself is reached.
 */
export async function routeTo(
  server: ServerLogin,
  team: string,
  options: Pick<MailOptions, "dns" | "allowCidrs" | "ca">,
): Promise<Route> {
  const found = await resolveAllowed(options.dns, { host: server.host, team }, options.allowCidrs);
  if (found.kind === "refused") {
    return found;
  }
  if (server.security === "none" && !isLoopback(found.ip)) {
    return { kind: "refused", reason: "without TLS only this machine itself may be reached" };
  }
  return { kind: "open", ip: found.ip, tls: trust(server.host, options.ca) };
}

function trust(host: string, ca: string | undefined): ConnectionOptions {
  return {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { secureContext: contextWith(ca) }),
  };
}

const contexts = new Map<string, SecureContext>();

/** One for all connections: the public authorities alone take 100 kB and several ms to read. */
function contextWith(ca: string): SecureContext {
  const known = contexts.get(ca);
  if (known !== undefined) {
    return known;
  }
  const made = tls.createSecureContext({
    ca: [...tls.rootCertificates, ca],
    minVersion: "TLSv1.2",
  });
  contexts.clear();
  contexts.set(ca, made);
  return made;
}
