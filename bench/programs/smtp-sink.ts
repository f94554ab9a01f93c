/**
 * An SMTP server that says yes to everything and keeps nothing, in a process of its own. At `url` it tells how
 * many emails it has accepted.
 */

interface Line {
  inBody: boolean;
  tail: string;
}

let accepted = 0;

const listener = Bun.listen<Line>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open: (socket) => {
      socket.data = { inBody: false, tail: "" };
      socket.write("220 sink ready\r\n");
    },
    data: (socket, chunk) => {
      const line = socket.data;
      let text = line.tail + chunk.toString("latin1");
      for (;;) {
        if (line.inBody) {
          const end = text.startsWith(".\r\n") ? -2 : text.indexOf("\r\n.\r\n");
          if (end === -1) {
            // The last bytes may be the beginning of the end.
            line.tail = text.slice(-4);
            return;
          }
          text = text.slice(end + 5);
          line.inBody = false;
          accepted += 1;
          socket.write("250 2.0.0 queued\r\n");
          continue;
        }
        const end = text.indexOf("\r\n");
        if (end === -1) {
          line.tail = text;
          return;
        }
        const verb = text.slice(0, 4).toUpperCase();
        text = text.slice(end + 2);
        if (verb === "DATA") {
          line.inBody = true;
          socket.write("354 go ahead\r\n");
        } else if (verb === "EHLO") {
          socket.write("250-sink\r\n250-AUTH PLAIN LOGIN\r\n250 ENHANCEDSTATUSCODES\r\n");
        } else if (verb === "AUTH") {
          socket.write("235 2.7.0 welcome\r\n");
        } else if (verb === "QUIT") {
          socket.end("221 bye\r\n");
        } else {
          socket.write("250 2.1.0 ok\r\n");
        }
      }
    },
  },
});
const counter = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(String(accepted)),
});
const url = `http://127.0.0.1:${counter.port}`;
console.log(JSON.stringify({ url, port: listener.port }));
