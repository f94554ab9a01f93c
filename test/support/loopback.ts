/** A TCP server on 127.0.0.1, on a free port: what the servers of tests have in common. */

import { once } from "node:events";
import { createServer, type Socket } from "node:net";

export interface Loopback {
  port: number;
  /** The connections that are open. */
  sockets: ReadonlySet<Socket>;
  /** Ends every open connection; new ones are welcome. */
  cut(): void;
  stop(): Promise<void>;
}

/** Each connection is handed to `serve`; one that breaks is only closed. */
export async function startLoopback(serve: (socket: Socket) => void): Promise<Loopback> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    sockets,
    cut,
    stop: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
