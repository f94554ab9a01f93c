/** `outrider version`. */

import { BUN_VERSION, COMMIT, VERSION } from "#version.ts";
import { command } from "./command.ts";
import { EXIT } from "./exit.ts";
import { jsonLine } from "./term.ts";

export const versionCommand = command({
  about: "Show version, commit and runtime",
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
