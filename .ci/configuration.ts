/**
 * The page of all settings, from the settings themselves.
 *
 *   bun .ci/configuration.ts           writes docs/configuration.md
 */

import { join } from "node:path";
import { flagOf, SETTINGS, type SettingName, variableOf } from "#config/config.ts";

export const CONFIGURATION_FILE = join(import.meta.dir, "../docs/configuration.md");

const HEAD = `# Settings

A flag wins over the environment, which wins over a TOML file (\`--config FILE\`, or \`OUTRIDER_CONFIG\`), which wins over the
default. \`outrider config\` shows every value and where it came from. An unknown key in the file is refused; in the file a
setting is called as below, \`port = 8480\`.

A secret has no flag, since everybody on a machine can read a program's arguments. \`_FILE\` after its variable names a file
that holds it.

`;

interface Shown {
  about: string;
  value: string;
  fallback: string | null;
  secret?: true;
}

/** The whole page. */
export function configurationPage(): string {
  const names = Object.keys(SETTINGS) as SettingName[];
  const rows = names.map((name) => {
    const { about, value, fallback, secret }: Shown = SETTINGS[name];
    const how =
      secret === true
        ? `\`${variableOf(name)}\`, \`…_FILE\``
        : `\`--${flagOf(name)} ${value.replaceAll("|", "\\|")}\`, \`${variableOf(name)}\``;
    const shown = fallback === null || fallback === "" ? "" : `\`${fallback}\``;
    return `| \`${name}\` | ${how} | ${shown} | ${about.replaceAll("|", "\\|")} |`;
  });
  const table = ["| setting | flag and variable | default | |", "|---|---|---|---|", ...rows];
  return `${HEAD}${table.join("\n")}\n`;
}

if (import.meta.main) {
  await Bun.write(CONFIGURATION_FILE, configurationPage());
}
