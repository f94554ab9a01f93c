/** How costs grow: the same with few leads and with many, in one process, asked in turn. */

import { program, RESULT_MS_MAX, resultOf, temporaryDirectory } from "../children.ts";
import { type Figure, type Limit, type Sample, summary } from "../measure.ts";
import type { Sized, SizeInput, SizeResult } from "../programs/size.ts";
import type { Scale } from "./scale.ts";

/** What costs at most so many times as much as something else reaches at least this part of it. */
const part = (times: number) => Number((1 / times).toFixed(2));

export async function size(scale: Scale): Promise<Figure[]> {
  using directory = temporaryDirectory();
  const { few, many, mailboxes, idleCampaigns: campaigns } = scale;
  const { sizeRounds: rounds, sizeTimes: times, addedLeads: added } = scale;
  const input: SizeInput = {
    ...{ directory: directory.path, few, many, mailboxes, campaigns, rounds, times, added },
  };
  // A millisecond a lead: ten million are stored in half an hour.
  const msMax = Math.max(RESULT_MS_MAX, many);
  const result = await resultOf<SizeResult>(program("size", input), {}, msMax);
  const of = (side: Sized[], name: keyof Sized) => side.map((sized) => sized[name]);
  const figure = (
    question: { id: string; about: string; unit: Figure["unit"]; aim?: number },
    ours: Sample[],
    ...theirs: [Limit, Sample[]][]
  ) => {
    const limits = theirs.map(([limit]) => limit);
    return summary({ ...question, limits }, [ours, ...theirs.map(([, samples]) => samples)]);
  };
  const growing = (
    name: keyof Sized,
    question: { id: string; about: string; unit: Figure["unit"]; aim?: number },
    least: number,
  ) => {
    const limit = { name: `the same with ${few} leads`, least };
    return figure(question, of(result.many, name), [limit, of(result.few, name)]);
  };
  const leads = `${many} leads`;
  return [
    figure(
      {
        id: "list_first",
        about: `The first 50 of a campaign's ${leads}, whole answer`,
        unit: "µs",
      },
      of(result.many, "first"),
      [
        { name: "the rows by one prepared statement, and their JSON", least: part(2.5) },
        of(result.many, "byHand"),
      ],
      [{ name: `the same with ${few} leads`, least: part(1.3) }, of(result.few, "first")],
    ),
    figure(
      { id: "list_last", about: "… the last 50, by cursor", unit: "µs" },
      of(result.many, "last"),
      [{ name: "the first 50", least: part(1.3) }, of(result.many, "first")],
    ),
    growing("search", { id: "search", about: `… those that hold two words`, unit: "ms" }, part(4)),
    growing(
      "mail",
      { id: "mail", about: `Claim, begin and settle a mail, each on disk, ${leads}`, unit: "µs" },
      part(1.3),
    ),
    growing(
      "added",
      { id: "added", about: `${added} new leads beside ${leads}`, unit: "1/s" },
      0.4,
    ),
    growing(
      "explain",
      { id: "explain", about: `Explain the last of ${leads}`, unit: "ms", aim: 50 },
      part(1.3),
    ),
    growing(
      "forecast",
      {
        id: "forecast_many",
        about: `Forecast of 7 days, ${leads}, ${result.sends} mails`,
        unit: "ms",
        aim: 1000,
      },
      part(4),
    ),
    growing(
      "idle",
      {
        id: "idle",
        about: `A step with nothing due, ${campaigns} campaigns, ${leads}`,
        unit: "µs",
        aim: 1000,
      },
      part(1.3),
    ),
  ];
}
