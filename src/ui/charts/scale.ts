/** From values to pixels and back, even steps for an axis, and the paths through points. */

export interface Scale {
  (value: number): number;
  /** The value at a pixel. */
  invert: (px: number) => number;
}

export interface AxisScale extends Scale {
  /** Round values in even steps, at both ends too. */
  ticks: readonly number[];
}

type Pair = readonly [number, number];

export function linearScale([from, to]: Pair, [start, end]: Pair): Scale {
  const perUnit = to === from ? 0 : (end - start) / (to - from);
  return Object.assign((value: number) => start + (value - from) * perUnit, {
    invert: (px: number) => (perUnit === 0 ? from : from + (px - start) / perUnit),
  });
}

/** Linear from 0 to the round value at or above `most`, which is above 0, in about `wanted` steps. */
export function axisScale(most: number, range: Pair, wanted: number): AxisScale {
  const step = stepOf(most, wanted);
  const ticks = multiples(step, 0, Math.ceil(most / multiple(step, 1) - SLACK));
  return Object.assign(linearScale([0, ticks.at(-1) ?? most], range), { ticks });
}

/** Round values in even steps inside of a domain, about `wanted` of them. */
export function roundValues([from, to]: Pair, wanted: number): number[] {
  if (!(to > from)) {
    return [from];
  }
  const step = stepOf(to - from, wanted);
  const one = multiple(step, 1);
  return multiples(step, Math.ceil(from / one - SLACK), Math.floor(to / one + SLACK));
}

/** Even by ratios, for values above 0; what lies outside of the domain stands at its end. */
export function logScale(domain: Pair, range: Pair): Scale {
  const inner = linearScale([Math.log(domain[0]), Math.log(domain[1])], range);
  const scale = (value: number) => inner(Math.log(Math.min(domain[1], Math.max(domain[0], value))));
  return Object.assign(scale, { invert: (px: number) => Math.exp(inner.invert(px)) });
}

/** 1, 2, 5, 10, 20, … or 0.5, 0.2, 0.1, …: whichever is nearest to the exact step by ratio. */
interface Step {
  of: number;
  /** What to divide by where it is below 1: whole, so that 0.3 is not 0.30000000000000004. */
  per: number;
}

/** A share of a step by which a value that lies on one may miss it in binary. */
const SLACK = 1e-9;

function stepOf(reach: number, wanted: number): Step {
  const exact = reach / Math.max(1, wanted);
  const power = Math.floor(Math.log10(exact));
  const rest = exact / 10 ** power;
  const factor =
    rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1;
  return power < 0 ? { of: factor, per: 10 ** -power } : { of: factor * 10 ** power, per: 1 };
}

function multiple({ of, per }: Step, times: number): number {
  return (times * of) / per;
}

function multiples(step: Step, first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => multiple(step, first + at));
}

/** Through the points; one that is no finite number breaks the line. */
export function linePath(points: readonly Pair[]): string {
  let isDown = false;
  let path = "";
  for (const [x, y] of points) {
    const isDrawn = Number.isFinite(x) && Number.isFinite(y);
    if (isDrawn) {
      path += `${isDown ? "L" : "M"}${px(x)},${px(y)}`;
    }
    isDown = isDrawn;
  }
  return path;
}

/** Between an upper edge and a lower one. */
export function areaPath(upper: readonly Pair[], lower: readonly Pair[]): string {
  const edge = [...upper, ...lower.toReversed()].filter((point) => point.every(Number.isFinite));
  return edge.length === 0 ? "" : `${linePath(edge)}Z`;
}

/** A tenth of a pixel is as fine as eyes are. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
