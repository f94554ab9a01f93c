/** A proxy that ends TLS before the program, as operators put one there. */

import { selfSigned } from "./certificate.ts";

export interface TlsProxy extends AsyncDisposable {
  /** `https://127.0.0.1:…`; its certificate is nobody's. */
  origin: string;
  /** From where the next requests seem to come. */
  client: string;
}

/**
 * On a free port. It tells `upstream` the scheme and whom it answers, and passes on what the client itself
 * says of that, as common proxies do: to the left of its own word.
 */
export function startProxy(upstream: string): TlsProxy {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: selfSigned("127.0.0.1", "localhost"),
    idleTimeout: 0,
    fetch: (request) => {
      const url = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("X-Forwarded-Proto", "https");
      headers.append("X-Forwarded-For", proxy.client);
      headers.set("Host", url.host);
      return fetch(upstream + url.pathname + url.search, {
        method: request.method,
        headers,
        redirect: "manual",
        decompress: false,
        ...(request.body === null ? {} : { body: request.body }),
      });
    },
  });
  const proxy: TlsProxy = {
    origin: `https://127.0.0.1:${server.port}`,
    client: "198.51.100.7",
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return proxy;
}
