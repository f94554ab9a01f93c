/**
 * The raw email of a benchmark's sample: the same bytes every time. Charset, encoding, HTML, quotes,
 * signature and headers follow from the sample's id, so that all of them vary over the samples of a label.
 */

import {
  addresseeOf,
  draw,
  OUR_ADDRESS,
  OUR_MESSAGE_ID,
  OUR_NAME,
  type Sample,
  SENT,
  type Surroundings,
} from "./benchmark.ts";
import { reportEmail } from "./benchmark-report.ts";
import { encodeWords, message, multipart, textPart } from "./mime.ts";

const DESKS = ["support", "info", "service", "helpdesk", "office"];

export function makeEmail(sample: Sample, around: Surroundings): Uint8Array {
  return /^(?:bounce|delay|complaint)/.test(sample.label)
    ? reportEmail(sample, around)
    : personalEmail(sample, around);
}

/** A person's reply, or an automatic one that looks like it. */
function personalEmail(sample: Sample, around: Surroundings): Uint8Array {
  const { name, address, fill } = addresseeOf(sample, around);
  const isAutomatic = sample.returns_on !== undefined || AUTOMATIC.includes(sample.label);
  const isDesk = sample.label === "acknowledgement";
  const desk = DESKS[draw(sample, "desk", DESKS.length)];
  const domain = address.split("@")[1];
  const isThread = isAutomatic ? draw(sample, "thread", 2) === 0 : draw(sample, "thread", 8) > 0;
  const subject =
    sample.subject ?? (isThread || isAutomatic ? `Re: ${fill(around.subject)}` : name);
  const headers: Record<string, string> = {
    From: isDesk ? `<${desk}@${domain}>` : `${encodeWords(name)} <${address}>`,
    To: `${OUR_NAME} <${OUR_ADDRESS}>`,
    Subject: encodeWords(subject),
    Date: SENT,
    "Message-ID": `<${sample.id}@${domain}>`,
  };
  if (isThread) {
    headers["In-Reply-To"] = OUR_MESSAGE_ID;
    headers["References"] = OUR_MESSAGE_ID;
  }
  if (isAutomatic && draw(sample, "mark", 5) === 0) {
    headers["Auto-Submitted"] = "auto-replied";
  }
  if (draw(sample, "suppress", 6) === 0) {
    headers["X-Auto-Response-Suppress"] = isAutomatic ? "All" : "OOF";
  }
  return message(headers, bodyOf(sample, around, isAutomatic));
}

const AUTOMATIC = ["out_of_office", "left", "acknowledgement"];

interface Written {
  text: string;
  quote: readonly string[];
  layout: "none" | "top" | "bottom" | "block";
}

function bodyOf(sample: Sample, around: Surroundings, isAutomatic: boolean): string {
  const { fill } = addresseeOf(sample, around);
  const layouts = (["none", "top", "block", "bottom", "top"] as const).slice(
    0,
    isAutomatic ? 2 : undefined,
  );
  const layout = layouts[draw(sample, "layout", layouts.length)] ?? "none";
  const written: Written = {
    text: [sample.text, ...signature(sample, around, isAutomatic)].join("\n\n"),
    quote: fill(`${around.pitch}\n\n${OUR_NAME}\n\n${around.footer}`).split("\n"),
    layout,
  };
  const encodings = ["8bit", "quoted-printable", "base64"] as const;
  const encoding = encodings[draw(sample, "encoding", encodings.length)] ?? "8bit";
  const charset = draw(sample, "charset", 3) === 0 ? (around.charset ?? "utf-8") : "utf-8";
  const attribution = around.quote.replace("{me}", `${OUR_NAME} <${OUR_ADDRESS}>`);
  const head =
    layout === "block"
      ? ["From:", "Sent:", "To:", "Subject:"].map(
          (name, n) => `${name} ${[OUR_NAME, "27.02.2026", "", fill(around.subject)][n]}`,
        )
      : [attribution.replace("{date}", "27.02.2026, 10:05")];
  const plain = textPart({ type: "text/plain", text: plainOf(written, head), charset, encoding });
  const html = textPart({ type: "text/html", text: htmlOf(written, head), charset, encoding });
  return [plain, html, multipart("alternative", [plain, html])][draw(sample, "body", 3)] ?? plain;
}

function signature(sample: Sample, around: Surroundings, isAutomatic: boolean): string[] {
  const { name } = addresseeOf(sample, around);
  const short = `${around.bye}\n${name}`;
  const forms = [
    "",
    short,
    `${short}\n${around.title}\n+44 20 7946 0123 | www.example.com`,
    isAutomatic ? short : around.mobile,
  ];
  const legal = draw(sample, "legal", 5) === 0 ? around.legal : "";
  return [forms[draw(sample, "signature", forms.length)] ?? "", legal].filter((one) => one !== "");
}

function plainOf({ text, quote, layout }: Written, head: readonly string[]): string {
  const marked = quote.map((line) => `> ${line}`.trimEnd());
  switch (layout) {
    case "none":
      return text;
    case "top":
      return [text, "", ...head, ...marked].join("\n");
    case "bottom":
      return [...head, ...marked, "", text].join("\n");
    case "block":
      return [text, "", "-----Original Message-----", ...head, "", ...quote].join("\n");
  }
}

function htmlOf({ text, quote, layout }: Written, head: readonly string[]): string {
  const own = `<div>${text.split("\n").map(Bun.escapeHTML).join("<br>")}</div>`;
  const lines = (all: readonly string[]) => all.map(Bun.escapeHTML).join("<br>");
  const quoted =
    layout === "block"
      ? `<div style="border:none;border-top:solid #E1E1E1 1pt">${lines(head)}</div><div>${lines(quote)}</div>`
      : `<div class="gmail_quote"><div>${lines(head)}</div><blockquote>${lines(quote)}</blockquote></div>`;
  const parts = { none: [own], bottom: [quoted, own], top: [own, quoted], block: [own, quoted] };
  return `<html><body>${parts[layout].join("\n")}</body></html>`;
}
