/** From values to pixels and back, even steps for an axis, and the paths through points. */

export interface Scale {
  (value: number): number;
  /** The value at a pixel. */
  invert: (px: number) => number;
}

export interface LinearScale extends Scale {
  /** Round values inside the domain, about `wanted` of them. */
  ticks: (wanted: number) => number[];
}

type Pair = readonly [number, number];

/** Even; with `niceTo` the domain is widened to the ends of that many round steps. */
export function linearScale(domain: Pair, range: Pair, niceTo?: number): LinearScale {
  const [from, to] = niceTo === undefined ? domain : widened(domain, niceTo);
  const [start, end] = range;
  const perUnit = to === from ? 0 : (end - start) / (to - from);
  const scale = (value: number) => start + (value - from) * perUnit;
  return Object.assign(scale, {
    invert: (px: number) => (perUnit === 0 ? from : from + (px - start) / perUnit),
    ticks: (wanted: number) => ticksOf([from, to], wanted),
  });
}

/** Even by ratios, for values above 0; what lies outside of the domain stands at its end. */
export function logScale(domain: Pair, range: Pair): Scale {
  const inner = linearScale([Math.log(domain[0]), Math.log(domain[1])], range);
  const scale = (value: number) => inner(Math.log(Math.min(domain[1], Math.max(domain[0], value))));
  return Object.assign(scale, { invert: (px: number) => Math.exp(inner.invert(px)) });
}

/** 1, 2, 5, 10, 20, … or 0.5, 0.2, 0.1, …: whichever is nearest to the wanted step by ratio. */
interface Step {
  of: number;
  /** Its inverse where it is below 1: dividing by a whole number keeps 0.3 from being 0.30000000000000004. */
  per: number;
}

function stepOf([from, to]: Pair, wanted: number): Step {
  const exact = (to - from) / Math.max(1, wanted);
  const power = Math.floor(Math.log10(exact));
  const rest = exact / 10 ** power;
  const factor =
    rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1;
  return power < 0 ? { of: 1, per: 10 ** -power / factor } : { of: factor * 10 ** power, per: 1 };
}

function ticksOf(domain: Pair, wanted: number): number[] {
  if (!(domain[1] > domain[0])) {
    return [domain[0]];
  }
  const { of, per } = stepOf(domain, wanted);
  const first = Math.ceil((domain[0] * per) / of);
  const last = Math.floor((domain[1] * per) / of);
  return Array.from({ length: last - first + 1 }, (_, at) => ((first + at) * of) / per);
}

function widened(domain: Pair, wanted: number): Pair {
  if (!(domain[1] > domain[0])) {
    return domain;
  }
  const { of, per } = stepOf(domain, wanted);
  const first = Math.floor((domain[0] * per) / of);
  const last = Math.ceil((domain[1] * per) / of);
  return [(first * of) / per, (last * of) / per];
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
