/**
 * A wire between an IMAP client and a real server on this machine: it keeps what passed, and cuts where a
 * test says, to the byte.
 */

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Passed {
  /** All that the client, and all that the server has said on this connection, a character a byte. */
  client: string;
  server: string;
}

export interface Proxy {
  port: number;
  /** Of the connections that were made, in order. */
  passed: readonly Passed[];
  stop(): Promise<void>;
}

export interface ProxyRule {
  /** Looked at before anything is handed on: true cuts both sides then and there. */
  cutBefore?: (passed: Passed) => boolean;
  /** The same behind it. */
  cutAfter?: (passed: Passed) => boolean;
  /** Lets the server offer COMPRESS, which hides what is said. */
  compress?: boolean;
}

const OFFER = "COMPRESS=DEFLATE";

export async function startProxy(target: number, rule: ProxyRule = {}): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const all: Passed[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const passed: Passed = { client: "", server: "" };
    all.push(passed);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    const join = (from: Socket, to: Socket, side: keyof Passed) => {
      sockets.add(from);
      from.on("error", cut);
      from.on("close", () => {
        sockets.delete(from);
        to.end();
      });
      from.on("data", (chunk: Buffer) => {
        const text = chunk.toString("latin1");
        const shown =
          rule.compress === true ? text : text.replaceAll(OFFER, "X".padEnd(OFFER.length, "X"));
        passed[side] += shown;
        if (rule.cutBefore?.(passed) === true) {
          cut();
          return;
        }
        to.write(Buffer.from(shown, "latin1"), () => {
          if (rule.cutAfter?.(passed) === true) {
            cut();
          }
        });
      });
    };
    join(client, upstream, "client");
    join(upstream, client, "server");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    passed: all,
    stop: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
