/** `outrider api`: any request, in the API's own words. */

import { command } from "#cli/command.ts";
import { EXIT, usageError } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf } from "./client.ts";
import { readInput } from "./fields.ts";

export const apiCommand = command({
  about: "Send any API request",
  details: `${CLIENT_DETAILS} Prints the response as is.`,
  options: {
    input: { type: "string", value: "FILE", about: "JSON body from a file (- for stdin)" },
    ...CLIENT_OPTIONS,
  },
  positionals: [
    { name: "METHOD", about: "GET, POST, PATCH, or DELETE" },
    { name: "PATH", about: "Path under /api/v1, such as /campaigns?limit=10" },
  ],
  run: async (call) => {
    const [method = "", path = ""] = call.words;
    if (!(/^[A-Za-z]+$/.test(method) && path.startsWith("/"))) {
      throw usageError('takes a method and a path under /api/v1, such as "GET /campaigns"');
    }
    const { input } = call.values;
    const body = input === undefined ? null : await readInput(input, call.workingDir);
    const response = await clientOf(call).ask(path.replace(/^\/api\/v1(?=\/)/, ""), {
      method: method.toUpperCase(),
      ...(body === null
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    const text = await response.text();
    call.terminal.out(text === "" || text.endsWith("\n") ? text : `${text}\n`);
    return EXIT.done;
  },
});
