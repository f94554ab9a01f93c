/** `outrider licenses`. */

import { command } from "./command.ts";
import { EXIT } from "./exit.ts";
import notices from "./third-party.txt" with { type: "text" };

export const licensesCommand = command({
  about: "Show the licences of the software that is inside",
  details: [
    "Packages with their versions and licences, then the text of each licence once. It is",
    "long: pipe it into a pager.",
  ].join("\n"),
  options: {},
  run: ({ terminal }) => {
    terminal.out(notices);
    return EXIT.done;
  },
});
