/** The options that set the configuration, and how a command reads it. */

import type { Call, Option } from "#cli/command.ts";
import { styled } from "#cli/term.ts";
import {
  flagOf,
  type ReadConfig,
  readConfig,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from "#config/config.ts";

const CONFIG_OPTION = {
  config: { type: "string", value: "FILE", about: "Read settings from a TOML file" },
} as const satisfies Record<string, Option>;

type FlagName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${FlagName<Tail>}`
  : Name;

/** Options for `names`, and `--config`. */
export function settingOptions<const Name extends SettingName>(
  names: readonly Name[],
): Record<FlagName<Name>, { type: "string"; value: string; about: string }> & typeof CONFIG_OPTION {
  const options = names.map((name) => {
    const { about, value, fallback } = SETTINGS[name];
    const shown = fallback === null || fallback === "" ? "" : ` (${fallback})`;
    return [flagOf(name), { type: "string", value, about: about + shown }];
  });
  return { ...Object.fromEntries(options), ...CONFIG_OPTION };
}

/** Commands that only open the data directory. */
export const DATA_OPTIONS = settingOptions(["data"]);

/** Every setting that has a flag. */
export const ALL_OPTIONS = settingOptions(
  SETTING_NAMES.filter((name): name is Exclude<SettingName, "master_key"> => {
    return !("secret" in SETTINGS[name]);
  }),
);

type ConfigCall = Pick<Call, "env" | "workingDir" | "terminal"> & {
  values: Readonly<Record<string, unknown>>;
};

/** Reads the configuration of a call and says its warnings. Throws `ConfigError`. */
export function configOf(call: ConfigCall): ReadConfig {
  const given = call.values;
  const flags = SETTING_NAMES.map((name) => {
    const value = given[flagOf(name)];
    return [name, typeof value === "string" ? value : undefined] as const;
  });
  const file = given["config"];
  const read = readConfig({
    flags: Object.fromEntries(flags),
    env: call.env,
    file: typeof file === "string" ? file : undefined,
    workingDir: call.workingDir,
  });
  for (const warning of read.warnings) {
    call.terminal.err(`${styled("warning:", "amber", call.terminal.errColours)} ${warning}\n`);
  }
  return read;
}
