/** Host names that are ours, where the operator has said which. */

import { isIP } from "node:net";
import type { ApiOptions } from "#api/server.ts";
import type { Environment } from "#environment.ts";
import { isTrackingHost } from "#store/team/teams.ts";

/** With none `allowed`, any is. An address always is: no other site can have pointed it here. */
export function ownHosts(
  { db, publicUrl }: Pick<Environment, "db" | "publicUrl">,
  allowed: readonly string[],
): Pick<ApiOptions, "isOwnHost"> {
  if (allowed.length === 0) {
    return {};
  }
  const publicHost = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const names = new Set(["localhost", ...publicHost, ...allowed]);
  const isOwnHost = (host: string) =>
    names.has(host) || isIP(host.replace(/[[\]]/g, "")) !== 0 || isTrackingHost(db, host);
  return { isOwnHost };
}
