/**
 * Appends a row for each event to a Google Sheet: time, type, campaign, lead, and what a reply says.
 *
 *     OUTRIDER_SECRET=whsec_… SHEET_ID=1Bxi… GOOGLE_CREDENTIALS=service-account.json node sheets.mjs 8000
 *
 * Point a webhook at it, with "include": ["lead", "campaign"]. Create a service account with a JSON key, and share
 * the sheet with its address. Node 20 or later, no packages.
 * Payloads: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append
 * and https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */

import { createHmac, sign, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { OUTRIDER_SECRET, SHEET_ID, GOOGLE_CREDENTIALS } = process.env;
const SHEETS_URL = process.env.SHEETS_URL ?? "https://sheets.googleapis.com";
const RANGE = process.env.SHEET_RANGE ?? "A1";
const SCOPE = "https://www.googleapis.com/auth/spreadsheets";
const BODY_BYTES_MAX = 1_000_000;
const SEEN_MAX = 10_000;
const CALL_MS_MAX = 10_000;
const account = JSON.parse(readFileSync(GOOGLE_CREDENTIALS, "utf8"));
const seen = new Set();

/** Returns the event; throws if Outrider didn't send it or it's older than five minutes. */
function verify(secret, headers, body) {
  const id = headers["webhook-id"] ?? "";
  const time = headers["webhook-timestamp"] ?? "";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
  const isSigned = (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isSigned || !(Math.abs(Date.now() / 1000 - Number(time)) < 300)) {
    throw new Error("not an Outrider webhook");
  }
  return JSON.parse(body);
}

let token = { value: "", until: 0 };

/** Of the service account; a new one when the last has nearly expired. */
async function accessToken() {
  const now = Math.floor(Date.now() / 1000);
  if (token.until > now + 60) {
    return token.value;
  }
  const { client_email: iss, token_uri: aud, private_key: key } = account;
  const parts = [
    { alg: "RS256", typ: "JWT" },
    { iss, scope: SCOPE, aud, iat: now, exp: now + 3600 },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const assertion = `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
  });
  const { access_token: value, expires_in: seconds } = await call(aud, { method: "POST", body });
  token = { value, until: now + seconds };
  return value;
}

async function call(url, options) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(CALL_MS_MAX) });
  if (!response.ok) {
    throw new Error(`${new URL(url).hostname} responded ${response.status}`);
  }
  return await response.json();
}

async function append(row) {
  // RAW: what a person wrote is never read as a formula.
  const query = "valueInputOption=RAW&insertDataOption=INSERT_ROWS";
  const range = encodeURIComponent(RANGE);
  await call(`${SHEETS_URL}/v4/spreadsheets/${SHEET_ID}/values/${range}:append?${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${await accessToken()}`,
    },
    body: JSON.stringify({ values: [row] }),
  });
}

function rowOf({ created_at, type, data, included = {} }) {
  const { lead, campaign } = included;
  return [created_at, type, campaign?.name ?? "", lead?.email ?? "", lead?.company ?? "", data.snippet ?? ""];
}

async function handle(headers, body) {
  let event;
  try {
    event = verify(OUTRIDER_SECRET, headers, body);
  } catch {
    return 401;
  }
  if (!seen.has(event.id)) {
    await append(rowOf(event));
    seen.add(event.id);
    if (seen.size > SEEN_MAX) {
      seen.delete(seen.values().next().value);
    }
  }
  return 200;
}

const server = createServer(async (request, response) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) {
      return response.writeHead(413).end();
    }
    chunks.push(chunk);
  }
  // Outrider sends an event that got 503 again later.
  const status = await handle(request.headers, Buffer.concat(chunks)).catch(() => 503);
  response.writeHead(status).end();
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`listening on port ${server.address().port}`);
});
