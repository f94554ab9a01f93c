/** Certificates for the hosts under which this program is reached, where the operator wants us to get them. */

import { SERVE } from "#api/server.ts";
import type { Config } from "#config/config.ts";
import type { CertificateSchedule } from "#engine/certificates.ts";
import type { Environment } from "#environment.ts";
import {
  type CertificateState,
  certificateFiles,
  certificateStates,
} from "#platform/acme/certificate-files.ts";
import { createFetch } from "#platform/http/fetch.ts";
import type { Db } from "#store/sqlite/database.ts";
import { listTeams } from "#store/team/teams.ts";
import type { Finding } from "#usecases/operations/operations.ts";
import { createTlsDoor, type TlsDoorOptions } from "#web/tls-door.ts";

/** More are not ordered: an authority counts orders by account. */
const HOSTS_MAX = 100;

export interface Certificates {
  schedule: CertificateSchedule;
  states(): CertificateState[];
  /** What only the running program knows: whether its ports are served. */
  findings(): Finding[];
  stop(now: boolean): Promise<void>;
}

/** Undefined where they are none of our business. */
export function createCertificates(
  config: Config,
  live: Environment,
  serve: TlsDoorOptions["serve"],
): Certificates | undefined {
  const { isAgreed, directory, email, httpPort, httpsPort } = config.operations.certificates;
  if (!isAgreed) {
    return undefined;
  }
  const { log } = live;
  const publicHost = publicHostOf(config);
  const files = certificateFiles(config.dataDir);
  const ending = new AbortController();
  const door = createTlsDoor({ serve, limits: SERVE, publicHost, httpPort, httpsPort, log });
  const hosts = () => hostsOf(config, live.db);
  const { signal } = ending;
  const authority = { directory, email, fetch: createFetch(live.dns), signal };
  return {
    schedule: { files, authority, hosts, publish: door.publish, serve: door.serve, log },
    states: () => certificateStates(files, hosts(), live.wall.now()),
    findings: () => {
      const detail = door.failure();
      return detail === null ? [] : [{ check: "public ports", verdict: "fault", detail }];
    },
    stop: (now) => {
      ending.abort();
      return door.stop(now);
    },
  };
}

/** Hosts that may have a certificate: that of the public address, then the teams' own. */
export function hostsOf(config: Config, db: Db): string[] {
  const publicHost = publicHostOf(config);
  const all = [publicHost, ...listTeams(db).map(({ trackingHost }) => trackingHost)];
  return [...new Set(all)].filter((host) => host !== null).slice(0, HOSTS_MAX);
}

function publicHostOf({ publicUrl }: Config): string | null {
  const url = publicUrl === null ? null : new URL(publicUrl);
  return url?.protocol === "https:" ? url.hostname : null;
}
