/** Files of an installation that fit together: what is in front of the server, its settings, and who watches it. */

import { alertRules, JOB } from "#web/monitoring/alerts.ts";
import { dashboard } from "#web/monitoring/dashboard.ts";
import { caddyfile, nginxFile } from "./proxies.ts";
import { unitOf } from "./unit.ts";

export const FRONTS = ["acme", "caddy", "nginx", "compose"] as const;

export interface Installation {
  /** What is in front: nothing (the server gets its certificates itself), a proxy, or containers. */
  front: (typeof FRONTS)[number];
  domain: string;
  /** Hosts of links in emails besides the domain. */
  tracking: readonly string[];
  /** A directory that Litestream copies to; null: it doesn't. */
  replica: string | null;
  executable: string;
}

/** Where the server listens, and a proxy of the same machine finds it. */
const LOCAL = "127.0.0.1:8480";
const DATA = "/var/lib/outrider";
const SETTINGS = "/etc/outrider.toml";
/** Of containers: the network's, in which only the proxy and the server are. */
const SUBNET = "172.30.84.0/24";
const IN_CONTAINER = { upstream: "outrider:8480", data: "/data" };

/** Texts by file name. */
export function filesOf(installation: Installation): Record<string, string> {
  const { front, domain, tracking, replica, executable } = installation;
  const hosts = { domain, tracking };
  const isCompose = front === "compose";
  const unit = { executable, settings: SETTINGS, listensLow: front === "acme" };
  const data = isCompose ? IN_CONTAINER.data : DATA;
  return {
    ...(isCompose
      ? { "compose.yaml": composeFile(replica) }
      : { "outrider.service": unitOf(unit) }),
    "outrider.toml": settingsFile(installation),
    ...(front === "caddy" && { Caddyfile: caddyfile({ ...hosts, upstream: LOCAL }) }),
    ...(isCompose && { Caddyfile: caddyfile({ ...hosts, upstream: IN_CONTAINER.upstream }) }),
    ...(front === "nginx" && { "nginx.conf": nginxFile({ ...hosts, upstream: LOCAL }) }),
    ...(replica !== null && {
      "litestream.yml": litestreamFile(data, isCompose ? "/replica" : replica),
    }),
    "prometheus.yml": prometheusFile(isCompose ? domain : LOCAL, isCompose ? "https" : "http"),
    "outrider-rules.yml": alertRules(`https://${domain}`),
    "grafana.json": dashboard(),
  };
}

function settingsFile({ front, domain, tracking }: Installation): string {
  const trusted = front === "compose" ? SUBNET : "127.0.0.1";
  const door =
    front === "acme"
      ? 'acme = "agree"                  # you accept the CA\'s terms of service'
      : `trusted_proxies = "${trusted}"`;
  return `public_url = "https://${domain}"
allowed_hosts = "${[domain, ...tracking].join(", ")}"
${door}
backup_every = "24h"
`;
}

/** Source: the Compose specification. */
function composeFile(replica: string | null): string {
  const replicator = `
  litestream:
    image: litestream/litestream:0.5
    command: replicate -config /etc/litestream.yml
    user: "65532:65532"
    restart: unless-stopped
    depends_on: [outrider]
    volumes:
      - data:/data
      - ${replica}:/replica
      - ./litestream.yml:/etc/litestream.yml:ro
`;
  return `services:
  outrider:
    image: outrider
    restart: unless-stopped
    environment:
      OUTRIDER_CONFIG: /etc/outrider.toml
      OUTRIDER_MASTER_KEY_FILE: /run/secrets/master_key
    secrets: [master_key]
    volumes:
      - data:/data
      - ./outrider.toml:/etc/outrider.toml:ro
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    stop_grace_period: 60s
  caddy:
    image: caddy:2
    restart: unless-stopped
    depends_on: [outrider]
    ports: ["80:80", "443:443", "443:443/udp"]
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy:/data
${replica === null ? "" : replicator.slice(1)}
networks:
  default:
    ipam:
      config: [{ subnet: ${SUBNET} }]

volumes:
  data:
  caddy:

# openssl rand -base64 32 > master.key && chmod 400 master.key && sudo chown 65532 master.key
secrets:
  master_key:
    file: ./master.key
`;
}

export function litestreamFile(data: string, replica: string): string {
  return `dbs:
  - path: ${data}/live.db
    replica:
      type: file
      path: ${replica}/live
      sync-interval: 1s
  - path: ${data}/test.db
    replica:
      type: file
      path: ${replica}/test
`;
}

function prometheusFile(target: string, scheme: string): string {
  return `# The token is the value of OUTRIDER_METRICS_TOKEN.
rule_files:
  - outrider-rules.yml
scrape_configs:
  - job_name: ${JOB}
    scheme: ${scheme}
    authorization:
      credentials_file: /etc/prometheus/outrider.token
    static_configs:
      - targets: ["${target}"]
`;
}
