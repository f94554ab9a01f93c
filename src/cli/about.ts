/** `outrider version` and `outrider notices`: what this program is, and what is inside. */

import { BUN_VERSION, COMMIT, VERSION } from "#app/version.ts";
import { type PackedFile, readPacked } from "#platform/embedded.ts";
import { command } from "./command.ts";
import { EXIT } from "./exit.ts";
import { jsonLine } from "./term.ts";

export const versionCommand = command({
  about: "Show the version, commit, and runtime",
  options: {},
  run: ({ json, terminal }) => {
    terminal.out(
      json
        ? jsonLine({ version: VERSION, commit: COMMIT, bun: BUN_VERSION })
        : `outrider ${VERSION} (${COMMIT}, Bun ${BUN_VERSION})\n`,
    );
    return EXIT.done;
  },
});

export const NOTICES: PackedFile = {
  name: "notices.gz",
  source: new URL("./third-party.txt", import.meta.url),
};

export const noticesCommand = command({
  about: "Show third-party notices for the bundled software",
  details: [
    "Lists packages with their versions and licenses, then the text of each license once. The",
    "output is long: pipe it into a pager.",
  ].join("\n"),
  options: {},
  run: async ({ terminal }) => {
    terminal.out(new TextDecoder().decode(Bun.gunzipSync(await readPacked(NOTICES))));
    return EXIT.done;
  },
});
