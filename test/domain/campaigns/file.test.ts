/** Guarantees of `domain/campaigns/file.ts`: which images an HTML body shows, whatever else is in it. */

import { describe, expect, test } from "bun:test";
import { imageIdsIn, withImageParts } from "#domain/campaigns/file.ts";

const ID = "01952c6a-4000-7000-8000-000000000100";
const OTHER = "01952c6a-4000-7000-8000-000000000101";

describe("images that HTML shows", () => {
  test.each([
    [`<img src="cid:${ID}">`, [ID]],
    [`<IMG width=1 alt='a' SRC = 'CID:${ID.toUpperCase()}' />`, [ID]],
    [`<img src=cid:${ID}><img src="cid:${OTHER}"><img src="cid:${ID}">`, [ID, OTHER]],
    [`<img alt="a &lt; b"\nsrc="cid:${ID}">`, [ID]],
    [`<p>cid:${ID}</p><a href="cid:${ID}">a</a><img src="https://a.example/${ID}">`, []],
    [`<img <p>src="cid:${ID}"</p>`, []],
  ])("%s", (html, ids) => {
    expect(imageIdsIn(html)).toEqual(ids);
  });

  test("name parts of the email, and nothing else changes", () => {
    const html = `<p>src="cid:${ID}"</p><img alt="x" src="cid:${ID}" width="2">`;
    const expected = `<p>src="cid:${ID}"</p><img alt="x" src="cid:part" width="2">`;
    expect(withImageParts(html, () => "part")).toBe(expected);
  });

  // Half a million characters: a search whose time grows with their square takes a minute.
  test.each(["<img ", "<img src ", "<img src=cid:", "<", "src=cid:", `<img src="cid:${ID}`])(
    "are found in time that grows with the length only: %s",
    (hostile) => {
      const html = hostile.repeat(500_000 / hostile.length);
      const expected = hostile.includes(ID) ? [ID] : [];
      expect(imageIdsIn(html)).toEqual(expected);
      expect(withImageParts(html, () => ID)).toBe(html);
    },
    20_000,
  );
});
