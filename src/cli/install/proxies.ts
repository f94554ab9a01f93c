/**
 * Proxies in front of the server. Under the domain everything goes through, under a tracking host only what emails
 * link to. Event streams aren't buffered, uploads aren't stored first, and how large a body may be is left to the
 * server, which says so. Who the client is, is what the proxy itself has seen.
 */

export interface Hosts {
  domain: string;
  tracking: readonly string[];
  /** Host and port of the server. */
  upstream: string;
}

/** Long operations, such as restoring a backup, respond when they're done. */
const WAIT = "15m";
const HSTS = "max-age=31536000";

export function caddyfile({ domain, tracking, upstream }: Hosts): string {
  const own = `${domain} {
	header Strict-Transport-Security "${HSTS}"
	reverse_proxy ${upstream} {
		flush_interval -1
	}
}
`;
  const links = `${tracking.join(", ")} {
	@links path /u/* /t/o/* /t/c/* /assets/page.css
	handle @links {
		reverse_proxy ${upstream}
	}
	respond 404
}
`;
  return tracking.length === 0 ? own : own + links;
}

export function nginxFile({ domain, tracking, upstream }: Hosts): string {
  const links = tracking.map(
    (host) => `server {
${tls(host)}
${PASSED}
  location ~ ^/(u|t/o|t/c)/ { proxy_pass http://${upstream}; }
  location = /assets/page.css { proxy_pass http://${upstream}; }
  location / { return 404; }
}
`,
  );
  return `server {
  listen 80;
  server_name ${[domain, ...tracking].join(" ")};
  location /.well-known/acme-challenge/ { root /var/www/html; }
  location / { return 308 https://$host$request_uri; }
}
server {
${tls(domain)}
  add_header Strict-Transport-Security "${HSTS}" always;
  client_max_body_size 0;
  proxy_buffering off;
  proxy_request_buffering off;
  proxy_read_timeout ${WAIT};
  proxy_send_timeout ${WAIT};
${PASSED}
  location / { proxy_pass http://${upstream}; }
}
${links.join("")}`;
}

/** Certificates as certbot lays them down. */
const tls = (host: string) => `  listen 443 ssl;
  server_name ${host};
  ssl_certificate /etc/letsencrypt/live/${host}/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/${host}/privkey.pem;`;

const PASSED = `  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto https;`;
