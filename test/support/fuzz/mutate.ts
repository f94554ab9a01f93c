/** Inputs that no sane program writes: changes of real ones, the same for the same seed. */

/** Longer ones are cut, so that a run of many stays short. */
const BYTES_MAX = 32_768;
const ROUNDS_MAX = 6;
const PART_BYTES_MAX = 400;
const REPEATS_MAX = 200;
const FLIPS = 20;

export interface Material {
  inputs: readonly Uint8Array[];
  /** What such programs stumble over. */
  tokens: readonly string[];
}

/** Mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function mutate({ inputs, tokens }: Material, seed: number): Uint8Array {
  const random = randomOf(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const any = () => (inputs[pick(inputs.length)] ?? new Uint8Array()).subarray(0, BYTES_MAX);
  const token = () => bytes(tokens[pick(tokens.length)] ?? "");
  let input = any().slice();
  for (let rounds = 1 + pick(ROUNDS_MAX); rounds > 0; rounds -= 1) {
    const from = pick(input.length);
    const part = input.subarray(from, from + pick(PART_BYTES_MAX));
    const before = input.subarray(0, from);
    const after = input.subarray(from);
    switch (pick(8)) {
      case 0:
        input = before.slice();
        break;
      case 1:
        input = join(before, after.subarray(part.length));
        break;
      case 2:
        input = join(before, part, part, part, after);
        break;
      case 3:
        for (let flips = 0; flips < FLIPS && input.length > 0; flips += 1) {
          input[pick(input.length)] = pick(256);
        }
        break;
      case 4:
        input = join(before, token(), after);
        break;
      case 5:
        input = join(before, any().subarray(pick(BYTES_MAX)));
        break;
      case 6: {
        const one = token();
        input = join(before, ...Array.from({ length: 1 + pick(REPEATS_MAX) }, () => one), after);
        break;
      }
      default:
        input = join(any().subarray(0, from), input);
    }
  }
  return input;
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
