/** What reads bytes by itself: files of leads, templates, archives, packed reports. */

import { Problem } from "#domain/problem.ts";
import { checkTemplate, renderTemplate } from "#domain/sending/template.ts";
import { TEXT_BYTES_MAX, unpack } from "#mail/reports/unpack.ts";
import { DamagedArchive, readTar, writeTar } from "#platform/tar.ts";
import { leadRows } from "#usecases/leads/import/import-leads.ts";
import { inspectFile, readFile } from "#usecases/leads/import/import-reader.ts";
import type { Target } from "./fuzz.ts";
import { bytes } from "./mutate.ts";

const HINTS = { encoding: null, delimiter: null, map: {} };
const SLICE = 7;
const CPU_MS_MAX = 250;

/** An outcome without what differs from input to input. */
function inGeneral(text: string): string {
  return text
    .replace(/"[^"]*"|“[^”]*”/g, '""')
    .replace(/\d+/g, "0")
    .slice(0, 80);
}

/** As a number of digits. */
const sizeOf = (count: number) => String(count).length;

/** Rows as they come from the offset of `facts` on; throws {@link Problem}. */
function rowsOf(facts: ReturnType<typeof inspectFile>, input: Uint8Array, pieceBytes: number) {
  const reader = readFile("csv", facts, leadRows);
  const rows: unknown[] = [];
  let read = 0;
  for (let from = facts.offset; from < input.length; from += pieceBytes) {
    reader.push(input.subarray(from, from + pieceBytes));
    const taken = reader.take(SLICE, false);
    rows.push(...taken.rows);
    read += taken.bytes;
  }
  for (let isOver = false; !isOver; ) {
    const taken = reader.take(SLICE, true);
    rows.push(...taken.rows);
    read += taken.bytes;
    isOver = taken.rows.length === 0 && taken.bytes === 0;
  }
  return { rows, read };
}

/** However a file is cut up on its way, its rows are the same and none of its bytes is left out. */
export const csv: Target = {
  name: "csv",
  cpuMsMax: CPU_MS_MAX,
  inputs: () =>
    [
      "email,first_name\nann@example.com,Ann\nben@example.com,Ben\n",
      'E-Mail;Name;Notiz\r\n"a@example.com";"Ann ""A"" B";"zwei\r\nZeilen"\r\nb@example.com;Ben;\r\n',
      "ann@example.com\tAnn\nben@example.com\tBen",
      "email|tags\r\na@example.com|one, two\r\n",
      "\uFEFFemail,company\na@example.com,Müller & Söhne\n",
      `email,${"x".repeat(3000)}\n`,
    ].map(bytes),
  tokens: ['"', '""', "\r\n", "\r", "\n", ",", ";", "\t", "|", "@", "\0", "\uFEFF", "é", " \n"],
  run: (input) => {
    try {
      const facts = inspectFile({ kind: "leads", format: "csv" }, input, true, HINTS);
      const whole = rowsOf(facts, input, input.length);
      for (const pieceBytes of [1, 5, 64]) {
        const cut = rowsOf(facts, input, pieceBytes);
        if (!Bun.deepEquals(cut.rows, whole.rows)) {
          throw new Error(`in pieces of ${pieceBytes} other rows come`);
        }
      }
      if (facts.offset + whole.read !== input.length) {
        throw new Error(`${facts.offset + whole.read} of ${input.length} bytes were read`);
      }
      const reasons = new Set(
        whole.rows.map((row) => {
          const { reason = "row" } = (row as { row: { reason?: string } }).row;
          return reason;
        }),
      );
      return `${facts.encoding} ${facts.delimiter} ${sizeOf(whole.rows.length)} ${[...reasons].sort()}`;
    } catch (error) {
      if (error instanceof Problem) {
        return inGeneral(error.message);
      }
      throw error;
    }
  },
};

const MARK = "<b>&§</b>";
const SCOPE = { first_name: MARK, company: null, seats: 3, sender: { email: "s@example.com" } };

/** No template throws, prints what is not escaped, prints more than it may, or says two things. */
export const liquid: Target = {
  name: "liquid",
  cpuMsMax: CPU_MS_MAX,
  inputs: () =>
    [
      'Hi {{ first_name | default: "there" }}, {Hello|Good {day|morning}}',
      "{% if company %}at {{ company }}{% elsif seats > 2 %}{{ seats | plus: 1 }}{% else %}x{% endif %}",
      '{% for n in (1..3) %}{{ n }}{% endfor %}{{ "now" | date: "%Y" }}',
      '{% assign a = first_name | split: "" | join: "-" %}{{ a | upcase | truncate: 5 }}',
      "{% case seats %}{% when 3 %}three{% endcase %}{% comment %}{{ x }}{% endcomment %}{% raw %}{{{% endraw %}",
      "{{ sender.email | append: first_name | replace: '<', '>' }}{% capture x %}{{ seats }}{% endcapture %}{{ x }}",
    ].map(bytes),
  tokens: [
    ...["{{", "}}", "{%", "%}", "{", "|", "}", "{%- ", " -%}", "(1..9999999)", "''", '"', "\\"],
    ...["__proto__", "constructor", "| raw", "| size", "| times: 1e308", "| repeat", "first_name"],
    ...["{% for a in first_name %}", "{% endfor %}", "{% if ", "{% endif %}", "{% include 'x' %}"],
    ...[
      "{% render 'x' %}",
      "{% layout 'x' %}",
      "{% cycle 1,2 %}",
      "| sort | reverse",
      "[0]",
      ".a.b",
    ],
  ],
  run: (input) => {
    const source = new TextDecoder().decode(input);
    const checked = checkTemplate(source);
    const said: string[] = [];
    for (const format of ["html", "none"] as const) {
      const options = { seed: "a", escape: format };
      const rendered = renderTemplate(source, SCOPE, options);
      if (!Bun.deepEquals(renderTemplate(source, SCOPE, options), rendered)) {
        throw new Error("rendered twice it differs");
      }
      if (rendered.ok && rendered.text.length > 100_000) {
        throw new Error(`${rendered.text.length} characters`);
      }
      if (
        rendered.ok &&
        format === "html" &&
        rendered.text.includes(MARK) &&
        !source.includes("§")
      ) {
        throw new Error("a lead's value is printed as it is");
      }
      if (rendered.ok && /\[native code\]/.test(rendered.text) && !source.includes("native")) {
        throw new Error("a function is printed");
      }
      if (rendered.ok && checked !== null) {
        throw new Error(`rendered, though the check says ${checked.message}`);
      }
      said.push(
        rendered.ok
          ? `text ${sizeOf(rendered.text.length)}`
          : "error" in rendered
            ? inGeneral(rendered.error)
            : `missing ${rendered.missing.length}`,
      );
    }
    return said.join(" / ");
  },
};

async function* piecesOf(input: Uint8Array, bytesEach: number) {
  for (let from = 0; from < input.length; from += bytesEach) {
    yield input.subarray(from, from + bytesEach);
  }
}

async function filesOf(input: Uint8Array, bytesEach: number) {
  const files: { name: string; content: Buffer }[] = [];
  await readTar(piecesOf(input, bytesEach), 20, async ({ name, bytes: size, content }) => {
    const parts: Uint8Array[] = [];
    for await (const part of content) {
      parts.push(part);
    }
    const whole = Buffer.concat(parts);
    if (whole.length !== size || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
      throw new Error(`${name}: ${whole.length} of ${size} bytes`);
    }
    files.push({ name, content: whole });
  });
  return files;
}

async function archiveOf(files: readonly { name: string; content: Uint8Array }[]) {
  const parts: Uint8Array[] = [];
  const all = files.map(({ name, content }) => {
    return { name, bytes: content.byteLength, content: [content] };
  });
  for await (const part of writeTar(all, 0)) {
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

const ARCHIVE = await archiveOf([
  { name: "manifest.json", content: bytes('{"format":1}') },
  { name: "live.db", content: bytes("SQLite format 3\0".repeat(50)) },
]);

/** An archive has files in its root or is damaged; what could be read is written and read again as it was. */
export const tar: Target = {
  name: "tar",
  cpuMsMax: CPU_MS_MAX,
  inputs: () => [ARCHIVE, ARCHIVE.subarray(0, 1024), ARCHIVE.subarray(512)],
  tokens: ["\0", "\0".repeat(512), "../", "/etc/passwd", "0000644", "ustar", "5", "2", "7777777"],
  run: async (input) => {
    try {
      const files = await filesOf(input, 512);
      if (!Bun.deepEquals(await filesOf(input, 100), files)) {
        throw new Error("in other pieces other files come");
      }
      if (!Bun.deepEquals(await filesOf(await archiveOf(files), 512), files)) {
        throw new Error("written and read again it differs");
      }
      return `${files.length} files`;
    } catch (error) {
      if (error instanceof DamagedArchive) {
        return inGeneral(error.message);
      }
      throw error;
    }
  },
};

const REPORT = bytes(
  "<feedback><record><row><source_ip>192.0.2.1</source_ip></row></record></feedback>",
);

/** Whatever is packed how often, what comes out is bounded, or nothing is. */
export const packed: Target = {
  name: "packed",
  cpuMsMax: CPU_MS_MAX,
  inputs: () => [
    REPORT,
    Bun.gzipSync(new Uint8Array(REPORT)),
    Bun.gzipSync(Bun.gzipSync(new Uint8Array(REPORT))),
    Bun.gzipSync(new Uint8Array(1_000_000)),
  ],
  tokens: ["PK\u0003\u0004", "PK\u0001\u0002", "PK\u0005\u0006", "\u001f\u008b\u0008", "\0\0\0\0"],
  run: async (input) => {
    const text = await unpack(input);
    if (text !== null && text.length > TEXT_BYTES_MAX) {
      throw new Error(`${text.length} characters`);
    }
    return text === null ? "nothing" : `${sizeOf(text.length)} ${text.startsWith("<")}`;
  },
};
