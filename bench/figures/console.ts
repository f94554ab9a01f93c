/** How long the console's table of all leads takes to show a place that nobody has looked at. */

import { closeBrowser, skipsBrowser } from "../../test/support/browser.ts";
import { startConsole } from "../../test/support/console.ts";
import { leadAt } from "../leads.ts";
import { type Figure, type Sample, summary } from "../measure.ts";
import type { Scale } from "./scale.ts";

const LEADS_A_REQUEST = 10_000;
const JUMPS = 20;
const AIM_MS = 150;

/** The slowest of several jumps, beside the slowest answer of the API for the same places. */
export async function consoleTable({ many, rounds }: Scale): Promise<Figure[]> {
  if (skipsBrowser()) {
    console.error("console: left out, there is no Chromium");
    return [];
  }
  await using server = await startConsole({ args: ["--rate-limit", "0"] });
  const made = await server.api("live", "POST", "/campaigns", { name: "Everybody" });
  for (let from = 0; from < many; from += LEADS_A_REQUEST) {
    const length = Math.min(LEADS_A_REQUEST, many - from);
    const leads = Array.from({ length }, (_, at) => leadAt(from + at));
    const answer = await server.api("live", "POST", `/campaigns/${made.body.id}/leads`, { leads });
    if (answer.status >= 400) {
      throw new Error(`${answer.status} ${answer.text}`);
    }
  }
  try {
    await using opened = await server.open("light", "/live/leads");
    const { page } = opened;
    await page.getByRole("row").nth(5).getByRole("link").waitFor();
    const jumps: Sample[] = [];
    const answers: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Even over the list, and other places each round.
      const places = Array.from({ length: JUMPS }, (_, at) => (at + (round + 1) / rounds) / JUMPS);
      jumps.push({ value: Math.max(...(await page.evaluate(jump, places))) });
      answers.push({ value: Math.max(...(await page.evaluate(ask, { places, many }))) });
    }
    const limit = { name: "the slowest answer of the API for the same places" };
    const about = `Slowest of ${JUMPS} jumps in a table of ${many} leads, until all rows in view are drawn`;
    const question = { id: "console_table", about, unit: "ms" as const, aim: AIM_MS };
    return [summary({ ...question, limits: [limit] }, [jumps, answers])];
  } finally {
    await closeBrowser();
  }
}

/** In the page: goes to each place of the table in turn; milliseconds until its rows are on the screen. */
async function jump(places: number[]): Promise<number[]> {
  const body = document.querySelector(".long-table tbody");
  if (body === null) {
    throw new Error("there is no table");
  }
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const framesMax = 600;
  const taken: number[] = [];
  for (const place of places) {
    const start = performance.now();
    let frames = 0;
    const before = body.querySelector("tr")?.getAttribute("aria-rowindex");
    body.scrollTop = place * (body.scrollHeight - body.clientHeight);
    do {
      await frame();
      frames += 1;
      if (frames === framesMax) {
        throw new Error(`nothing is drawn at ${place}`);
      }
    } while (
      body.querySelector("tr")?.getAttribute("aria-rowindex") === before ||
      body.querySelector(".skeleton") !== null
    );
    await frame();
    taken.push(performance.now() - start);
  }
  return taken;
}

/** In the page: asks for the rows at each place; milliseconds until they have come. */
async function ask({ places, many }: { places: number[]; many: number }): Promise<number[]> {
  const taken: number[] = [];
  for (const place of places) {
    const offset = Math.floor((place * many) / 100) * 100;
    const start = performance.now();
    await (await fetch(`/live/api/v1/leads?limit=100&offset=${offset}`)).json();
    taken.push(performance.now() - start);
  }
  return taken;
}
