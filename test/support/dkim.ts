/** DKIM as somebody else checks it. */

import { join } from "node:path";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";

export interface Verified {
  /** `pass`, `fail`, `none`, `neutral`, `temperror` or `permerror`. */
  result: string;
  domain: string | undefined;
  selector: string | undefined;
  /** Names of the signed headers, in lower case. */
  headers: string[];
}

/** What each signature of `raw` is worth when `texts` are the TXT records of the environment. */
export async function verifyDkim(raw: Uint8Array, texts: Texts): Promise<Verified[]> {
  const { results } = await dkimVerify(Buffer.from(raw), { resolver: txtResolver(texts) });
  return (results as Signature[]).map(({ status, signingDomain, selector, signingHeaders }) => ({
    result: status.result,
    domain: signingDomain,
    selector,
    headers: (signingHeaders?.keys ?? "").split(":").map((name) => name.trim().toLowerCase()),
  }));
}

type Texts = Readonly<Record<string, readonly string[]>>;

/** Name servers that have these TXT records and nothing else, as mailauth asks them. */
export function txtResolver(texts: Texts) {
  return async (name: string, type = "TXT"): Promise<string[][]> => {
    const records = type === "TXT" ? texts[name] : undefined;
    if (records === undefined) {
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    }
    return records.map((record) => [record]);
  };
}

/** With dkimpy, where CI has installed it. */
export const PYTHON = join(import.meta.dir, ...["..", "..", ".toolchain", "venv", "bin", "python"]);
const DKIMPY = `
import base64, dkim, json, sys
given = json.load(sys.stdin)
find = lambda name, **_: (given["texts"].get(name.decode().rstrip(".")) or [""])[0].encode() or None
def verified(raw):
    chain = dkim.arc_verify(raw, dnsfunc=find)[0].decode()
    return {"dkim": dkim.verify(raw, dnsfunc=find), "arc": chain}
print(json.dumps([verified(base64.b64decode(raw)) for raw in given["messages"]]))
`;

/** What the Python package makes of each message: of its signature, and of its chain of seals. */
export async function verifyByDkimpy(
  raws: readonly Buffer[],
  texts: Texts,
): Promise<{ dkim: boolean; arc: string }[]> {
  const child = Bun.spawn([PYTHON, "-c", DKIMPY], { stdin: "pipe", stdout: "pipe" });
  const messages = raws.map((raw) => raw.toString("base64"));
  child.stdin.write(JSON.stringify({ texts, messages }));
  await child.stdin.end();
  return JSON.parse(await new Response(child.stdout).text());
}

interface Signature {
  status: { result: string };
  signingDomain?: string;
  selector?: string;
  signingHeaders?: { keys: string };
}
