/** The command line: what it refuses, what it answers, and with which exit code. */

import { describe, expect, test } from "bun:test";
import { COMMIT, VERSION } from "#app/version.ts";
import { CommandError, EXIT, exitCodeOf } from "#cli/exit.ts";
import { COMMANDS } from "#cli/table.ts";
import { ConfigError } from "#config/values.ts";
import {
  conflict,
  invalid,
  notFound,
  PROBLEM_STATUS,
  Problem,
  type ProblemType,
} from "#domain/problem.ts";
import { StartFailure, type StartFailureKind } from "#platform/start-failure.ts";
import { expectGolden } from "../support/golden.ts";
import { run } from "./support.ts";

describe("Help", () => {
  test("of everything is what the golden file holds", async () => {
    const texts = [await run(["help"])];
    for (const name of Object.keys(COMMANDS)) {
      texts.push(await run(["help", ...name.split(" ")]));
    }
    expect(texts.every(({ exit, err }) => exit === EXIT.done && err === "")).toBe(true);
    expectGolden("help.txt", texts.map(({ out }) => out).join("\n----\n\n"));
  });

  test.each(["--help", "-h", "help", "help help"])("%s is the overview", async (words) => {
    expect(await run(words.split(" "))).toEqual(await run([]));
  });

  test.each(Object.keys(COMMANDS))(
    "%s --help is its help, whatever else is missing",
    async (name) => {
      const words = name.split(" ");
      const expected = await run(["help", ...words]);
      expect(await run([...words, "--help"])).toEqual(expected);
      expect(await run([...words, "-h", "--json"])).toEqual(expected);
    },
  );

  test("of a group lists its commands", async () => {
    const { out, exit } = await run(["help", "keys"]);
    expect(exit).toBe(EXIT.done);
    expect(out).toContain("Usage: outrider keys <command> [options]");
    expect(out).not.toContain("serve");
  });

  test("--json lists the commands, those of the API after the others", async () => {
    const { out } = await run(["help", "--json"]);
    const { commands } = JSON.parse(out) as { commands: { name: string }[] };
    const names = commands.map(({ name }) => name);
    expect(names.slice(0, Object.keys(COMMANDS).length)).toEqual(Object.keys(COMMANDS));
    expect(names).toContain("campaigns create");
  });
});

describe("Refused with exit code 64", () => {
  test.each<[words: string, message: string]>([
    ["serv", 'unknown command "serv"; did you mean "serve"?'],
    ["kyes list", 'unknown command "kyes list"; did you mean "keys list"?'],
    ["key", 'unknown command "key"; did you mean "keys"?'],
    ["frobnicate", 'unknown command "frobnicate"; see "outrider help"'],
    ["constructor", 'unknown command "constructor"; see "outrider help"'],
    ["__proto__", 'unknown command "__proto__"; see "outrider help"'],
    ["admin", '"admin" needs a subcommand: admin link, admin create, admin password'],
    ["admin crate", '"admin" has no subcommand "crate": admin link, admin create, admin password'],
    ["campaigns crate", '"campaigns" has no subcommand "crate": see "outrider help campaigns"'],
    ["--data x serve", 'put the command before its options; got "--data" first'],
    ["config --prot 80", "unknown option --prot; did you mean --port?"],
    ["config --constructor", 'unknown option --constructor; see "outrider help config"'],
    ["config --__proto__=1", 'unknown option --__proto__; see "outrider help config"'],
    ["config -p 80", 'unknown option -p; see "outrider help config"'],
    ["config --port", "--port needs a value (N)"],
    [
      "config --port --json",
      "--port needs a value (N); if the value is --json, write --port=--json",
    ],
    ["config --port 1 --port 2", "--port was given twice; use it once"],
    ["config --json=yes", "--json doesn't take a value"],
    ["config extra", 'config got an unexpected argument: "extra"'],
    ["config --port x", 'port (flag --port): must be a whole number from 0 to 65535, not "x"'],
    ["keys create --env test", "keys create needs --name NAME"],
    ["keys create --name x", "keys create needs --env live|test"],
    ["keys create --name x --env prod", '--env must be live or test, not "prod"'],
    ["keys create --name= --env test", "--name must be 1 to 100 characters on one line"],
    [
      "keys create --name x --env test --expires-at soon",
      "--expires-at: must be an ISO 8601 date-time with an offset, from 1970 to 9999, for example 2026-03-01T09:30:00.000Z",
    ],
    ["keys revoke", "keys revoke needs ID"],
    ["keys revoke 7", 'the key\'s id must be a UUID, not "7"'],
    ["demo --leads 1", '--leads must be a whole number from 3 to 100000, not "1"'],
    ["demo --seed -1", "--seed needs a value (N); if the value is -1, write --seed=-1"],
  ])("%s", async (words, message) => {
    const { exit, out, err } = await run(words.split(" "));
    const isJson = words.split(" ").includes("--json");
    expect({ exit, out }).toEqual({ exit: EXIT.usage, out: "" });
    expect(err.split("\n")[0]).toBe(
      isJson
        ? JSON.stringify({ error: { message, type: "usage", field: null, exit: 64 } })
        : `outrider: ${message}`,
    );
  });

  test("ten thousand arguments and one", async () => {
    const { exit, err } = await run(["config", ...new Array<string>(10_001).fill("x")]);
    expect({ exit, err }).toEqual({
      exit: 64,
      err: "outrider: too many arguments: the limit is 10000\n",
    });
  });
});

describe("Configuration", () => {
  test("is shown with the origin of each value", async () => {
    const { out, exit } = await run(["config", "--port", "1"], { env: { OUTRIDER_HOST: "::1" } });
    expect(exit).toBe(EXIT.done);
    expect(out).toMatch(/^port {2,}1 {2,}flag --port$/m);
    expect(out).toMatch(/^host {2,}::1 {2,}env OUTRIDER_HOST$/m);
    expect(out).toMatch(/^public_url {2,}- {2,}default$/m);
  });

  test("is one document with --json", async () => {
    const { out } = await run(["config", "--json", "--docs=off"]);
    expect(JSON.parse(out)).toMatchObject({
      docs: { value: "off", origin: "flag --docs" },
      public_url: { value: null, origin: "default" },
    });
  });

  test("wrong in the environment or the file ends 78", async () => {
    expect((await run(["config"], { env: { OUTRIDER_PORT: "x" } })).exit).toBe(EXIT.config);
    expect((await run(["config", "--config", "gone.toml"])).exit).toBe(EXIT.config);
  });

  test("warns on stderr of a variable that nobody reads", async () => {
    const { exit, err } = await run(["config"], { env: { OUTRIDER_HOTS: "x" } });
    expect(exit).toBe(EXIT.done);
    expect(err).toBe(
      'warning: OUTRIDER_HOTS is not an Outrider setting; did you mean "OUTRIDER_HOST"?\n',
    );
  });
});

test.each(["version", "--version", "-V"])("%s says version, commit and runtime", async (word) => {
  expect(await run([word])).toEqual({
    exit: EXIT.done,
    out: `outrider ${VERSION} (${COMMIT}, Bun ${Bun.version})\n`,
    err: "",
  });
  expect(JSON.parse((await run([word, "--json"])).out)).toEqual({
    version: VERSION,
    commit: COMMIT,
    bun: Bun.version,
  });
});

describe("Exit codes", () => {
  const starts: Record<StartFailureKind, number> = {
    locked: 75,
    unwritable: 73,
    address_taken: 69,
    newer_data: 65,
    damaged: 65,
  };
  test.each(Object.entries(starts))("start failure %s: %d", (kind, exit) => {
    expect(exitCodeOf(new StartFailure(kind as StartFailureKind, ""))).toBe(exit as never);
  });

  test.each<[string, Error, number]>([
    ["a wrong value", invalid("name", "x"), 64],
    ["nothing of that id", notFound("key"), 1],
    ["a conflict", conflict("x"), 1],
    ["no permission", new Problem("permission_error", "x"), 77],
    ["not now", new Problem("unavailable", "x"), 75],
    ["a flag's value", new ConfigError("x", true), 64],
    ["the file's value", new ConfigError("x"), 78],
    ["an interrupt", new CommandError(EXIT.interrupted, "x"), 130],
  ])("%s", (_name, error, exit) => {
    expect(exitCodeOf(error)).toBe(exit as never);
  });

  test("every problem has one, and a bug has none", () => {
    const types = Object.keys(PROBLEM_STATUS) as ProblemType[];
    expect(types.every((type) => exitCodeOf(new Problem(type, "x")) !== undefined)).toBe(true);
    expect(exitCodeOf(new TypeError("x"))).toBeUndefined();
  });
});
