/** Guarantees of an export in pages: each row once, whole, in order; what follows a page is not read. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { readRows } from "#api/assistant/rows.ts";

const CHARS_MAX = 40;

/** `bytes` in pieces of `size`, which end wherever they like: inside a character, inside a line. */
function streamOf(bytes: Uint8Array, size: number, seen?: (cancelled: boolean) => void) {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
    cancel() {
      seen?.(true);
    },
  });
}

test("pages hold each row once, in order, however the bytes come", async () => {
  const row = fc
    .string({ unit: "grapheme", maxLength: 60 })
    .map((text) => JSON.stringify({ text }));
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 30 }), async (rows, size) => {
      const bytes = new TextEncoder().encode(rows.map((line) => `${line}\n`).join(""));
      const read: string[] = [];
      for (let next: number | null = 0; next !== null; ) {
        const page = await readRows(streamOf(bytes, size), next, CHARS_MAX);
        const lines = page.rows.split("\n").slice(0, -1);
        expect(lines).toHaveLength(page.count);
        expect(page.count <= 1 || page.rows.length <= CHARS_MAX).toBe(true);
        read.push(...lines);
        next = page.next;
      }
      expect(read).toEqual(rows);
    }),
  );
});

test("the rest of a file is let go of", async () => {
  const bytes = new TextEncoder().encode('{"a":1}\n'.repeat(1_000));
  const seen = Promise.withResolvers<boolean>();
  const page = await readRows(streamOf(bytes, 16, seen.resolve), 0, CHARS_MAX);
  expect(page).toEqual({ rows: '{"a":1}\n'.repeat(5), count: 5, next: 5 });
  expect(await seen.promise).toBe(true);
});
