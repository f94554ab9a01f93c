/**
 * Journey 4: a CSV file with a mark, semicolons, quoted line ends, bad rows, duplicates and somebody who
 * must not be written to becomes a mapping, counts, a bar, a file of errors, and is taken back.
 */

import { afterAll, expect, test } from "bun:test";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { until } from "./support.ts";

const JOURNEY_MS_MAX = 180_000;
const HEARD_MS_MAX = 60_000;

const FILE = [
  "\ufeffE-Mail;Vorname;Firma;Notiz",
  'ann@example.com;Ann;"Acme ""Ltd""";"two\nlines"',
  "bob@example.com;Bob;<img src=x onerror=alert(1)>;",
  "ann@example.com;Ann again;;",
  "known@example.com;Kim;;",
  "out@example.com;Out;;",
  "nonsense;N;;",
  "@example.com;M;;",
  "cy@example.com;C;D;E;too many",
].join("\r\n");

afterAll(closeBrowser);

/** Announces all of `file`, sends half of it, and is gone. */
async function sendPart({ url, cookie }: Console, path: string, file: Buffer): Promise<void> {
  const { hostname, port, origin } = new URL(url);
  const head = [
    `POST /test/api/v1${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${origin}`,
    `Cookie: ${cookie}`,
    "Content-Type: text/csv",
    `Content-Length: ${file.length}`,
  ];
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const half = file.subarray(0, file.length / 2);
  const sent = Promise.withResolvers<void>();
  socket.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), half]), () =>
    sent.resolve(),
  );
  await sent.promise;
  socket.destroy();
}

test.skipIf(skipsBrowser())(
  "4: a file of leads, in and out again",
  async () => {
    await using console = await startConsole();
    const campaign = await console.api("test", "POST", "/campaigns", { name: "Spring" });
    const { id } = campaign.body;
    const known = { leads: [{ email: "known@example.com" }] };
    await console.api("test", "POST", `/campaigns/${id}/leads`, known);
    await console.api("test", "POST", "/suppressions", { email: "out@example.com" });
    const { page, faults, violations } = await console.open(
      "light",
      `/test/campaigns/${id}/import`,
    );

    await page.setInputFiles("input[type=file]", {
      name: "list.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(FILE),
    });
    await page.getByText("Preview of 8 lines").waitFor();
    const figures = async () =>
      Object.fromEntries(
        await page
          .locator("[data-outcome]")
          .evaluateAll((cells) =>
            cells.map((cell) => [cell.getAttribute("data-outcome"), Number(cell.textContent)]),
          ),
      );
    expect(await figures()).toEqual({ new: 2, update: 0, duplicate: 2, suppressed: 1, invalid: 3 });
    expect(await page.getByLabel(/Field for column 1/).inputValue()).toBe("email");
    expect(await page.getByLabel(/Field for column 3/).inputValue()).toBe("company");
    expect((await console.api("test", "GET", "/leads")).body.total).toBe(1);
    expect(await violations()).toEqual([]);

    await page.getByLabel(/Field for column 4/).selectOption("-");
    await page.getByRole("button", { name: "Import 2 leads" }).click();
    await page.getByRole("heading", { name: "2 leads imported" }).waitFor();
    const { body: list } = await console.api("test", "GET", `/imports?campaign_id=${id}`);
    expect(await figures()).toEqual(list.data[0].outcomes);
    expect(list.data[0].columns[3].field).toBeNull();

    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: /CSV of invalid lines/ }).click();
    const saved = readFileSync((await (await saving).path()) ?? "", "utf8");
    expect(saved).toContain("nonsense,invalid,invalid_email");
    expect(await violations()).toEqual([]);

    await page.reload();
    await page.getByRole("button", { name: "Undo import" }).click();
    await page.getByRole("heading", { name: "Import undone: 2 leads removed" }).waitFor();
    expect((await console.api("test", "GET", "/leads")).body.total).toBe(1);
    expect(faults).toEqual([]);
  },
  JOURNEY_MS_MAX,
);

test.skipIf(skipsBrowser())(
  "an import whose connection broke goes on with the rest of the same file, and of no other",
  async () => {
    await using console = await startConsole();
    const campaign = await console.api("test", "POST", "/campaigns", { name: "Spring" });
    const { id } = campaign.body;
    const people = Array.from({ length: 6_000 }, (_, nth) => `person${nth}@example.com`);
    const file = Buffer.from(["email", ...people].join("\n"));
    await sendPart(console, `/campaigns/${id}/leads/import?file_name=list.csv`, file);
    const interrupted = async () =>
      (await console.api("test", "GET", "/imports?status=interrupted")).body.data[0];
    const run = await until(HEARD_MS_MAX, "the server hears of the end", interrupted);
    expect(run.imported).toBeLessThan(people.length);
    const at = `/test/campaigns/${id}/import?import=${run.id}`;
    const { page, faults, violations } = await console.open("dark", at);
    await page.getByRole("heading", { name: /^Interrupted after/ }).waitFor();
    expect(await violations()).toEqual([]);
    const rest = page.getByLabel("Upload the rest");
    const part = { name: "other.csv", mimeType: "text/csv", buffer: file.subarray(1) };
    await rest.setInputFiles(part);
    await page.getByText("This is a different file").waitFor();
    expect((await interrupted()).offset).toBe(run.offset);
    await rest.setInputFiles({ ...part, buffer: file });
    await page.getByRole("heading", { name: "6,000 leads imported" }).waitFor();
    expect((await console.api("test", "GET", "/leads")).body.total).toBe(people.length);
    expect(faults).toEqual([]);
  },
  JOURNEY_MS_MAX,
);
