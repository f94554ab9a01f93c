/** The verifier that `docs/security.md` prints, run by Python with nothing but its standard library. */

import { join } from "node:path";

const HARNESS = `
import sys
for case in map(json.loads, sys.stdin):
    try:
        print(json.dumps(verify(case["lines"], case["head"])))
    except Exception as fault:
        print(json.dumps(str(fault) or type(fault).__name__))
`;

export interface PythonCase {
  lines: readonly string[];
  head?: object | null;
}

/** For each case the head it came to, or the words in which it was refused. */
export async function verifiedByPython(cases: readonly PythonCase[]): Promise<unknown[]> {
  const guide = await Bun.file(join(import.meta.dir, "../../docs/security.md")).text();
  const [, program = ""] = /```python\n([\s\S]*?)```/.exec(guide) ?? [];
  const input = cases.map(({ lines, head = null }) => JSON.stringify({ lines, head })).join("\n");
  const child = Bun.spawn(["python3", "-c", program + HARNESS], {
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const out = await new Response(child.stdout).text();
  return out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}
