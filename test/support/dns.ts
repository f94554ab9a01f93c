/** DNS from a table: names that are not in it have nothing. */

import type { Dns, MailExchange } from "#platform/ports/dns.ts";

/** Knows this machine alone. */
export const LOCAL_DNS = tableDns({ localhost: ["127.0.0.1"] });

/** Every domain takes email, by one server that nobody else has. */
export const OPEN_DNS: Dns = {
  ...tableDns({}),
  mx: async () => [{ exchange: "mx.example", priority: 10 }],
};

export function tableDns(
  addresses: Readonly<Record<string, readonly string[]>>,
  exchanges: Readonly<Record<string, readonly MailExchange[]>> = {},
  more: {
    texts?: Readonly<Record<string, readonly string[]>>;
    names?: Readonly<Record<string, readonly string[]>>;
  } = {},
): Dns {
  return {
    lookup: async (host) => addresses[host] ?? [],
    mx: async (domain) => exchanges[domain] ?? [],
    isAbsent: async (domain) => exchanges[domain] === undefined && addresses[domain] === undefined,
    txt: async (name) => more.texts?.[name] ?? [],
    ptr: async (ip) => more.names?.[ip] ?? [],
  };
}
