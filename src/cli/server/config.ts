/** `outrider config`: every setting, its value and where it came from. */

import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { jsonLine, table } from "#cli/term.ts";
import { ALL_OPTIONS, configOf } from "./settings.ts";

export const configCommand = command({
  about: "Show every setting, its value, and where it comes from",
  details: [
    "A flag overrides an environment variable (OUTRIDER_PORT), which overrides the --config file,",
    "which overrides the default. Secrets are masked.",
  ].join("\n"),
  options: ALL_OPTIONS,
  run: (call) => {
    const { settings } = configOf(call);
    if (call.json) {
      const entries = settings.map(({ name, value, origin }) => [name, { value, origin }]);
      call.terminal.out(jsonLine(Object.fromEntries(entries)));
      return EXIT.done;
    }
    const rows = settings.map(({ name, value, origin }) => [name, value || "-", origin]);
    const columns = [{ title: "Setting" }, { title: "Value" }, { title: "From" }];
    call.terminal.out(table(columns, rows, call.terminal.outColours));
    return EXIT.done;
  },
});
