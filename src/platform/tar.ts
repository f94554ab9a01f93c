/**
 * Tar archives of a few regular files, so that what we write can be opened without us. Sizes above 8 GiB
 * are written in base 256, as GNU tar does and reads.
 *
 * Source: POSIX.1-1988 "ustar" interchange format.
 */

const BLOCK_BYTES = 512;
const NAME_BYTES_MAX = 100;
/** Largest size that eleven octal digits hold. */
const OCTAL_SIZE_MAX = 0o77777777777;
const SIZE = { at: 124, bytes: 12 };
const CHECKSUM = { at: 148, bytes: 8 };
const TYPE_AT = 156;
const REGULAR = "0".charCodeAt(0);

export interface TarFile {
  name: string;
  /** What `content` adds up to. */
  bytes: number;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** What is not a tar archive, or is cut short. */
export class DamagedArchive extends Error {}

/** The archive's bytes. Throws when a file's content is not as long as was said. */
export async function* writeTar(
  files: Iterable<TarFile>,
  modifiedAt: number,
): AsyncGenerator<Uint8Array> {
  for (const { name, bytes, content } of files) {
    yield headerOf(name, bytes, modifiedAt);
    let written = 0;
    for await (const chunk of content) {
      written += chunk.byteLength;
      yield chunk;
    }
    if (written !== bytes) {
      throw new Error(`${name} has ${written} bytes, not ${bytes}`);
    }
    yield new Uint8Array(paddingOf(bytes));
  }
  yield new Uint8Array(2 * BLOCK_BYTES);
}

/**
 * Hands each file to `take`, which must read its content to the end. Throws {@link DamagedArchive}, also
 * for anything but regular files in the archive's root and for more than `filesMax` of them.
 */
export async function readTar(
  source: AsyncIterable<Uint8Array>,
  filesMax: number,
  take: (file: {
    name: string;
    bytes: number;
    content: AsyncIterable<Uint8Array>;
  }) => Promise<void>,
): Promise<void> {
  const reader = createReader(source);
  for (let count = 0; ; count += 1) {
    const header = await reader.exactly(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) {
      return;
    }
    if (count >= filesMax) {
      throw new DamagedArchive(`the archive has more than ${filesMax} files`);
    }
    const { name, bytes } = readHeader(header);
    const content = reader.some(bytes);
    await take({ name, bytes, content });
    if (!(await content.next()).done) {
      throw new Error(`${name} was not read to its end`);
    }
    await reader.exactly(paddingOf(bytes));
  }
}

function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function headerOf(name: string, bytes: number, modifiedAt: number): Uint8Array {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) {
    throw new Error(`the name ${name} is too long`);
  }
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  header.write(name, 0, "utf8");
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (bytes <= OCTAL_SIZE_MAX) {
    octal(bytes, SIZE.at, SIZE.bytes);
  } else {
    header.writeBigUInt64BE(BigInt(bytes), SIZE.at + 4);
    header[SIZE.at] = 0x80;
  }
  octal(Math.floor(modifiedAt / 1000), 136, 12);
  header[TYPE_AT] = REGULAR;
  header.write("ustar\x0000", 257, "latin1");
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, CHECKSUM.at, "latin1");
  return header;
}

/** The sum of all bytes, its own field counted as spaces. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, index) => {
    const isOwn = index >= CHECKSUM.at && index < CHECKSUM.at + CHECKSUM.bytes;
    return sum + (isOwn ? 0x20 : byte);
  }, 0);
}

function readHeader(bytes: Uint8Array): { name: string; bytes: number } {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length: number) =>
    header.toString("latin1", at, at + length).replace(/[\0 ].*$/s, "");
  const checksum = Number.parseInt(text(CHECKSUM.at, CHECKSUM.bytes), 8);
  if (checksum !== checksumOf(header)) {
    throw new DamagedArchive("the archive is damaged: a header's checksum is wrong");
  }
  const name = text(0, NAME_BYTES_MAX);
  const size =
    header[SIZE.at] === 0x80
      ? Number(header.readBigUInt64BE(SIZE.at + 4))
      : Number.parseInt(text(SIZE.at, SIZE.bytes), 8);
  const isPlain = header[TYPE_AT] === REGULAR && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
  if (!isPlain || !Number.isSafeInteger(size)) {
    throw new DamagedArchive("the archive contains something that doesn't belong in a backup");
  }
  return { name, bytes: size };
}

/** Reads a stream by number of bytes. */
function createReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  /** One to `most` bytes. */
  const next = async (most: number): Promise<Uint8Array> => {
    while (rest.byteLength === 0) {
      const { done, value } = await chunks.next();
      if (done) {
        throw new DamagedArchive("the archive is incomplete");
      }
      rest = value;
    }
    const taken = rest.subarray(0, most);
    rest = rest.subarray(taken.byteLength);
    return taken;
  };
  return {
    exactly: async (bytes: number): Promise<Uint8Array> => {
      const parts: Uint8Array[] = [];
      for (let wanted = bytes; wanted > 0; ) {
        const part = await next(wanted);
        parts.push(part);
        wanted -= part.byteLength;
      }
      return Buffer.concat(parts);
    },
    some: async function* (bytes: number): AsyncGenerator<Uint8Array> {
      for (let wanted = bytes; wanted > 0; ) {
        const part = await next(wanted);
        wanted -= part.byteLength;
        yield part;
      }
    },
  };
}
