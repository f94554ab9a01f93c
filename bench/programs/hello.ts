/** The limit of start-up and memory: the least server that answers `/healthz`. */

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: { "/healthz": () => Response.json({ status: "ok" }) },
});
console.log(JSON.stringify({ url: `http://127.0.0.1:${server.port}`, port: server.port }));
