/** Texts in the charsets that email had before UTF-8: the reverse of what `TextDecoder` reads. */

const ASCII_END = 0x80;
const TRAIL_START = 0x40;
const DOUBLE_BYTE: readonly string[] = ["shift_jis", "euc-kr", "gbk"];

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Null where the charset lacks a character. */
export function encodeLegacy(text: string, charset: string): Uint8Array | null {
  const table = tables.get(charset) ?? tableOf(charset);
  tables.set(charset, table);
  const codes = [...text].map((char) =>
    char.charCodeAt(0) < ASCII_END ? [char.charCodeAt(0)] : table.get(char),
  );
  return codes.includes(undefined) ? null : Uint8Array.from(codes.flatMap((code) => code ?? []));
}

function tableOf(charset: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const bytesFrom = (start: number) => Array.from({ length: 0x100 - start }, (_, n) => start + n);
  const codes = bytesFrom(ASCII_END).flatMap((lead) => {
    const trails = DOUBLE_BYTE.includes(charset) ? bytesFrom(TRAIL_START) : [];
    return [[lead], ...trails.map((trail) => [lead, trail])];
  });
  const read = codes.map((code) => [decoder.decode(Uint8Array.from(code)), code] as const);
  const isCharacter = ([text]: readonly [string, unknown]) =>
    [...text].length === 1 && text !== "\ufffd";
  return new Map(read.filter(isCharacter).toReversed());
}
