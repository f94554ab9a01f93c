/** `outrider demo`: a month of four campaigns in a sandbox of its own, in about a minute and a half. */

import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RunningApp } from "#app.ts";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { isDesktop, openBrowser } from "#cli/server/open-browser.ts";
import { jsonLine, printable, styled } from "#cli/term.ts";
import { readConfig } from "#config/config.ts";
import { systemClock } from "#platform/clock.ts";
import { allHold, presentReport, progressView, reportText } from "./demo-report.ts";

const LEADS_MAX = 100_000;
/** Simulated seconds a real second. */
const SPEED_MAX = 10_000_000;
const SEED_MAX = 0xffff_ffff;
const MONTH_SECONDS = 30 * 24 * 3600;
const PLAY_SECONDS = 90;

export const demoCommand = command({
  about: "Play a month of campaigns in a temporary sandbox",
  details: [
    "Uses 7 mailboxes, 4 campaigns, and 2,000 simulated recipients who reply, bounce, are out of",
    "office, or unsubscribe. Prints the results and checks the engine's invariants. In a terminal the",
    "server stays up until Ctrl-C. No email leaves this machine, and the data is deleted at the end",
    "unless you keep it with --data; outrider serve --data DIR goes on with it.",
  ].join("\n"),
  options: {
    "until-done": {
      type: "boolean",
      about: "Exit when the month is over, as it does without a terminal",
    },
    stay: { type: "boolean", about: "Stay up until Ctrl-C or SIGTERM, even without a terminal" },
    data: {
      type: "string",
      value: "DIR",
      about: "Keep the data in this directory, which must be new or empty",
    },
    seed: {
      type: "string",
      value: "N",
      about: "Random seed; each seed plays a different month (1)",
    },
    leads: { type: "string", value: "N", about: "Number of recipients (2000)" },
    speed: {
      type: "string",
      value: "N",
      about: "Simulated seconds per second; 0 for as fast as possible (28800)",
    },
    port: { type: "string", value: "N", about: "Port to listen on (any free port)" },
    "no-open": { type: "boolean", about: "Don't open the console in a browser" },
  },
  run: async (call) => {
    const { values, terminal } = call;
    const seed = wholeNumber(values.seed, "--seed", 1, 0, SEED_MAX);
    const leads = wholeNumber(values.leads, "--leads", 2_000, 3, LEADS_MAX);
    const speed = wholeNumber(values.speed, "--speed", MONTH_SECONDS / PLAY_SECONDS, 0, SPEED_MAX);
    if (values.stay === true && values["until-done"] === true) {
      throw usageError("--stay and --until-done can't be used together");
    }
    const interrupt = call.interrupt();
    await using directory = await directoryOf(call, values.data);
    const { dataDir } = directory;
    const { config } = readConfig({
      flags: {
        data: dataDir,
        port: values.port ?? "0",
        sandbox_seed: String(seed),
        rate_limit: "0",
        log_level: "warn",
      },
      env: {},
      workingDir: call.workingDir,
    });
    const { advancing, startApp } = await import("#app.ts");
    const { playDemo } = await import("./demo-play.ts");
    const app = await startApp(config);
    try {
      terminal.err(`Outrider is running at ${app.url}\nData directory: ${printable(dataDir)}\n`);
      const url = await consoleUrl(app);
      terminal.err(`Sign-in link for the console, valid for 30 minutes:\n  ${url}\n`);
      const isShown = !call.json && values["until-done"] !== true && values["no-open"] !== true;
      if (isShown && isDesktop(call.env)) {
        openBrowser(url);
      }
      const stage = {
        environments: app.environments,
        advance: advancing(app.environments, app.engines.test),
      };
      const report = await playDemo(stage, {
        seed,
        leads,
        speed,
        signal: interrupt,
        onProgress: progressView(terminal, systemClock.now),
      });
      terminal.out(
        call.json ? jsonLine(presentReport(report)) : reportText(report, terminal.outColours),
      );
      if (interrupt.aborted) {
        return EXIT.interrupted;
      }
      const stays =
        values["until-done"] !== true && (values.stay === true || terminal.isInteractive);
      if (stays) {
        terminal.err(styled("Press Ctrl-C to stop.\n", "dim", terminal.errColours));
        await once(interrupt, "abort");
      } else if (values["until-done"] !== true) {
        terminal.err(
          "Not running in a terminal, so the demo exits now. Use --stay to keep it running.\n",
        );
      }
      return allHold(report) ? EXIT.done : EXIT.failed;
    } finally {
      await app.stop();
    }
  },
});

/** Throws where the named directory has something in it. One that nobody named goes at the end. */
async function directoryOf(
  { workingDir }: Pick<Call, "workingDir">,
  named: string | undefined,
): Promise<AsyncDisposable & { dataDir: string }> {
  if (named === undefined) {
    const dataDir = await mkdtemp(join(tmpdir(), "outrider-demo-"));
    const remove = () => rm(dataDir, { recursive: true, force: true });
    return { dataDir, [Symbol.asyncDispose]: remove };
  }
  const dataDir = resolve(workingDir, named);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new CommandError(EXIT.cannotCreate, `${dataDir} isn't empty; name a new directory`);
  }
  return { dataDir, [Symbol.asyncDispose]: async () => undefined };
}

/** A link into the sandbox for somebody who is made for it, and has no password. */
async function consoleUrl({ url, environments }: RunningApp): Promise<string> {
  const { signInUrl } = await import("#usecases/team/sign-in-link.ts");
  const { mirrorTeam } = await import("#usecases/team/teams.ts");
  const { createFirstUser } = await import("#usecases/team/users.ts");
  const { live, test } = environments;
  const you = { email: "you@demo.example", name: "You", passwordHash: null };
  const { user, team } = await live.commit(() => createFirstUser(live, you));
  await test.commit(() => mirrorTeam(test, team));
  return `${await signInUrl(live, url, user)}&to=/test/`;
}

function wholeNumber(
  text: string | undefined,
  option: string,
  fallback: number,
  min: number,
  max: number,
): number {
  if (text === undefined) {
    return fallback;
  }
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max) {
    throw usageError(`${option} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return value;
}
