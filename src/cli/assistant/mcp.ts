/**
 * `outrider mcp`: a server of the Model Context Protocol on stdin and stdout, by which an assistant works
 * with the API of a running server, as far as its key goes.
 */

import { VERSION } from "#app/version.ts";
import { command } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "#cli/requests/client.ts";
import { loadApi } from "#cli/requests/operations.ts";
import { systemClock } from "#platform/clock.ts";

export const mcpCommand = command({
  about: "Connect an AI assistant to a server over the Model Context Protocol",
  details: [
    CLIENT_DETAILS,
    "A test key works in the sandbox. A live key needs --live; limit its scopes:",
    "outrider keys create --env live --name assistant --scopes campaigns:read,inbox:write",
    "Your assistant runs this command itself; see docs/api.md, Assistants, for its settings.",
  ].join("\n"),
  options: {
    live: { type: "boolean", about: "Allow a live key, which sends real email" },
    "read-only": { type: "boolean", about: "Offer read operations only" },
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const client = clientOf(call);
    if (client.isLive && call.values.live !== true) {
      throw new CommandError(
        EXIT.notAllowed,
        "this is a live key and sends real email; add --live to use it",
      );
    }
    await serve(client, call.values["read-only"] === true, call.interrupt());
    return EXIT.done;
  },
});

/** Until the assistant closes stdin, or `signal`. */
async function serve(client: Client, readOnly: boolean, signal: AbortSignal): Promise<void> {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const { createMcpServer } = await import("#api/assistant/server.ts");
  const { makeToolbox } = await import("#api/assistant/toolbox.ts");
  const { createConfirmations } = await import("#api/assistant/confirmations.ts");
  const toolbox = makeToolbox(await loadApi(), createConfirmations());
  const assistant = {
    ...{ who: client.url, now: systemClock.now, scopes: null, readOnly },
    ask: ({ path, init }: { path: string; init: RequestInit }) =>
      askOrUnavailable(client, path, init),
  };
  const ended = Promise.withResolvers<void>();
  const handle = serveStdio(() => {
    const server = createMcpServer(toolbox, assistant, { version: VERSION, isLive: client.isLive });
    server.onclose = ended.resolve;
    return server;
  });
  process.stdin.once("end", ended.resolve);
  signal.addEventListener("abort", () => ended.resolve());
  await ended.promise;
  await handle.close();
}

/** A server that can't be reached is a refusal like any other to an assistant. */
async function askOrUnavailable(
  client: Client,
  path: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await client.fetch(path, init);
  } catch (error) {
    if (error instanceof CommandError) {
      return Response.json({ type: "unavailable", message: error.message }, { status: 503 });
    }
    throw error;
  }
}
