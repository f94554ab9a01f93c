/**
 * The page of all settings, from the settings themselves.
 *
 *   bun .ci/configuration.ts           writes docs/configuration.md
 */

import { join } from "node:path";
import { flagOf, SETTINGS, type SettingName, variableOf } from "#config/config.ts";

export const CONFIGURATION_FILE = join(import.meta.dir, "../docs/configuration.md");

const HEAD = `# Settings

A flag overrides an environment variable, which overrides a TOML file (\`--config FILE\`, or \`OUTRIDER_CONFIG\`), which
overrides the default. \`outrider config\` shows every value and where it comes from. In the file, use the names below
(\`port = 8480\`); an unknown key is an error.

A secret has no flag, because every user of a machine can read a program's arguments. To read it from a file, add \`_FILE\`
to the variable and set it to the file's path.

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
