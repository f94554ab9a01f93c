/** What this program is: set when the executable is built, "development" when run from source. */

import { version } from "../../package.json" with { type: "json" };

/** `build.sh` replaces it by the commit's 12 first digits, `-dirty` after it when files differ. */
declare const OUTRIDER_COMMIT: string | undefined;
/** In place of the package's, where an executable is built by hand with `--define`. */
declare const OUTRIDER_VERSION: string | undefined;

export const VERSION: string = typeof OUTRIDER_VERSION === "string" ? OUTRIDER_VERSION : version;

export const COMMIT: string = typeof OUTRIDER_COMMIT === "string" ? OUTRIDER_COMMIT : "development";

/** The runtime inside, for example `1.4.5`. */
export const BUN_VERSION: string = Bun.version;
