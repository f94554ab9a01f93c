/** A step goes out in the format that it names, and each email has the other one beside it. */

import { expect, test } from "bun:test";
import { parseMail } from "#mail/parse.ts";
import { createLive } from "../support.ts";

test("plain text keeps its tags and line ends, HTML comes with a text of the same words", async () => {
  const live = await createLive();
  await live.addAccount();
  const step = { type: "email", subject: "Hi" };
  const html = "<p>See <b>this</b></p><ul><li>one</li></ul>";
  await live.launch([{ ...step, body: "See <b>\nhere", format: "plain" }], "bob@example.com");
  await live.launch([{ ...step, body: html, format: "html" }], "eve@example.com");
  await live.days(1);

  const [plain, rich] = await Promise.all(live.mail.taken.map(({ raw }) => parseMail(raw)));
  expect(plain?.text).toStartWith("See <b>\nhere");
  expect(plain?.html).toStartWith("<p>See &lt;b&gt;<br>\nhere</p>");
  expect(rich?.text).toStartWith("See this\n\n * one");
  expect(rich?.html).toStartWith(html);
  await live.app.close();
});
