/** Takes every delivery; at `/hole` it never answers. Prints its port. */

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: async (request) => {
    await request.arrayBuffer();
    return request.url.endsWith("/hole") ? await new Promise(() => undefined) : new Response("ok");
  },
});
console.log(JSON.stringify({ port: server.port }));
